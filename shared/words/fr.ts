import type { Words } from './words.ts'

/** French. A draft made with machine help: no native reader has been through it yet. */
export const fr = {
  name: 'Français',
  dir: 'ltr',
  read: null,
  address: 'vous',
  glossary: {
    password: 'mot de passe',
    passkey: 'clé d’accès',
    'authenticator app': 'application d’authentification',
    'recovery code': 'code de récupération',
    'two-step verification': 'validation en deux étapes',
    'log in': 'se connecter',
  },
  mails: {
    frame: {
      hello: 'Bonjour,',
      helloName: 'Bonjour {name},',
      lifetime: 'Le lien est valable {lifetime} et ne fonctionne qu’une seule fois.',
      until: 'Le lien est valable jusqu’au {until} et ne fonctionne qu’une seule fois.',
      bareLink: 'Si le bouton ne fonctionne pas, copiez ce lien dans votre navigateur\u202f:',
      sender: 'Envoyé par {product}.',
      senderWithSupport: 'Envoyé par {product}. Des questions\u202f? Écrivez à {support}.',
    },
    links: {
      verification: {
        subject: 'Confirmez votre adresse e-mail pour {product}',
        preview: 'Confirmez que cette adresse est bien la vôtre. Le lien est valable {lifetime}.',
        heading: 'Confirmez votre adresse e-mail',
        event:
          'Quelqu’un a créé un nouveau compte {product} avec l’adresse {email}. Si c’était vous, veuillez confirmer que cette adresse est bien la vôtre.',
        button: 'Confirmer l’adresse',
        warning:
          'Si ce n’était pas vous, ignorez cet e-mail et n’ouvrez pas le lien\u202f: l’adresse ne sera pas confirmée.',
      },
      reset: {
        subject: 'Réinitialisez votre mot de passe {product}',
        preview: 'Quelqu’un a demandé ce lien. Il est valable {lifetime} et ne fonctionne qu’une seule fois.',
        heading: 'Réinitialisez votre mot de passe',
        event:
          'Quelqu’un a demandé à réinitialiser le mot de passe du compte {product} associé à l’adresse {email}. Si c’était vous, choisissez-en un nouveau maintenant.',
        button: 'Choisir un nouveau mot de passe',
        warning: 'Si ce n’était pas vous, ignorez cet e-mail\u202f: rien ne changera.',
      },
      undone: {
        subject: 'Choisissez un nouveau mot de passe pour {product}',
        preview:
          'Votre ancien mot de passe ne fonctionne plus. Ce lien est valable {lifetime} et ne fonctionne qu’une seule fois.',
        heading: 'Choisissez un nouveau mot de passe',
        event:
          'Une modification du compte {product} associé à l’adresse {email} a été annulée. Le mot de passe de ce compte ne fonctionne plus, car quelqu’un d’autre le connaît peut-être. Choisissez-en un autre maintenant.',
        invitation:
          'Cette adresse avait reçu une invitation, qui n’est plus valable\u202f: vous avez de nouveau votre compte. Si vous avez encore besoin de ce à quoi elle servait, demandez aux personnes qui gèrent ce service.',
        button: 'Choisir un nouveau mot de passe',
        warning:
          'Si ce n’est pas vous qui avez annulé cette modification, quelqu’un d’autre peut lire vos e-mails. Modifiez d’abord le mot de passe de votre boîte e-mail, puis choisissez ici un nouveau mot de passe\u202f: d’ici là, personne ne peut se connecter.',
      },
      moved: {
        subject: 'Choisissez un mot de passe pour votre compte {product}',
        preview:
          'Votre compte est maintenant associé à cette adresse. Le lien est valable {lifetime} et ne fonctionne qu’une seule fois.',
        heading: 'Choisissez un nouveau mot de passe',
        event:
          'Les responsables de ce service ont associé votre compte {product} à cette adresse e-mail, à la demande de la personne titulaire du compte\u202f: l’adresse du compte est maintenant {email}. Ce compte n’a pas de mot de passe\u202f: choisissez-en un, ce qui confirme que cette adresse est bien la vôtre.',
        button: 'Choisir un nouveau mot de passe',
        warning:
          'Si cette demande ne vient pas de vous, ignorez cet e-mail, n’ouvrez pas le lien et prévenez les responsables de ce service.',
      },
      'second-factor': {
        subject: 'Configurez la validation en deux étapes pour {product}',
        preview: 'Configurez-le avec une application d’authentification. Le lien est valable {lifetime}.',
        heading: 'Configurez la validation en deux étapes',
        event:
          'Quelqu’un s’est connecté au compte {product} associé à l’adresse {email}. Ce compte exige la validation en deux étapes. Si c’était vous, configurez-la avec une application d’authentification sur votre téléphone.',
        button: 'Configurer la validation en deux étapes',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre connaît votre mot de passe\u202f: choisissez «\u00a0Mot de passe oublié\u202f?\u00a0» là où vous vous connectez, et modifiez ce mot de passe partout ailleurs où vous l’utilisez. Cette personne ne peut pas se connecter sans ce lien.',
      },
      'email-change': {
        subject: 'Confirmez votre nouvelle adresse e-mail pour {product}',
        preview: 'Confirmez-la avec votre mot de passe. Le lien est valable {lifetime}.',
        heading: 'Confirmez votre nouvelle adresse',
        event:
          'Quelqu’un a demandé que son compte {product} soit désormais associé à l’adresse {email}. Si c’était vous, veuillez le confirmer avec le mot de passe de ce compte.',
        button: 'Confirmer la nouvelle adresse',
        warning:
          'Si ce n’était pas vous, ignorez cet e-mail\u202f: sans le mot de passe de ce compte, rien ne changera.',
      },
      invitation: {
        subject: 'Vous avez une invitation pour {product}',
        preview:
          'Choisissez un mot de passe pour votre compte. Le lien est valable jusqu’au {until} et ne fonctionne qu’une seule fois.',
        heading: 'Vous avez une invitation pour {product}',
        event:
          'Les responsables de ce service ont créé pour vous un compte {product} associé à l’adresse {email}. Choisissez un mot de passe pour l’utiliser.',
        button: 'Choisir un mot de passe',
        warning:
          'Si vous n’attendiez pas cette invitation, ignorez cet e-mail\u202f: sans lui, personne ne peut utiliser le compte.',
      },
    },
    logins: {
      heading: 'Autres moyens de se connecter à ce compte\u202f:',
      app: 'Une application d’authentification, configurée le {day}',
      passkey: 'La clé d’accès «\u00a0{label}\u00a0», ajoutée le {day}',
      passkeysLeft: 'Clés d’accès du compte\u202f:\u00a0{passkeysLeft}.',
      provider: '{provider}, en tant que {address}, associé le {day}',
      providerAlone: '{provider}, associé le {day}',
      providersLeft: 'Fournisseurs associés\u202f:\u00a0{providersLeft}.',
    },
    notices: {
      'password-changed': {
        subject: 'Votre mot de passe {product} a été modifié',
        preview: 'Il a été modifié le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Votre mot de passe a été modifié',
        event:
          'Le mot de passe du compte {product} associé à l’adresse {email} a été modifié le {when}. Vos sessions ouvertes ailleurs ont été fermées.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre connaît votre mot de passe ou peut lire vos e-mails. Modifiez d’abord le mot de passe de votre boîte e-mail. Ensuite, choisissez «\u00a0Mot de passe oublié\u202f?\u00a0» là où vous vous connectez\u202f: un nouveau mot de passe déconnecte la personne qui l’a modifié.',
      },
      'invitation-accepted': {
        subject: 'Votre invitation pour {product} a été acceptée',
        preview: 'Elle a été acceptée le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Votre invitation a été acceptée',
        event:
          'L’invitation au compte {product} associé à l’adresse {email} a été acceptée le {when}\u202f: un mot de passe a été choisi avec son lien.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre avait le lien ou peut lire vos e-mails. Modifiez d’abord le mot de passe de votre boîte e-mail. Ensuite, choisissez «\u00a0Mot de passe oublié\u202f?\u00a0» là où vous vous connectez\u202f: un nouveau mot de passe déconnecte la personne qui a choisi celui-ci.',
      },
      'account-deleted': {
        subject: 'Votre compte {product} a été supprimé',
        preview: 'Il a été supprimé le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Votre compte a été supprimé',
        event:
          'Le compte {product} associé à l’adresse {email} a été supprimé le {when}. Cette adresse peut de nouveau servir à créer un compte.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre connaissait le mot de passe de ce compte. Modifiez ce mot de passe partout ailleurs où vous l’utilisez. Cet e-mail ne permet pas de rétablir le compte.',
      },
      'email-changed': {
        subject: 'L’adresse de votre compte {product} a été modifiée',
        preview: 'Elle a été modifiée le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Votre adresse e-mail a été modifiée',
        event:
          'L’adresse du compte {product} associé à {email} a été remplacée par {newEmail} le {when}. Les e-mails de ce compte sont désormais envoyés à cette nouvelle adresse, et toutes vos sessions ont été fermées.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre dispose de votre mot de passe, et d’un code de votre application ou d’un code de récupération. Seuls les responsables de ce service peuvent vous aider\u202f: écrivez-leur immédiatement.',
        warningWithSetUpLink:
          'Si ce n’était pas vous, cherchez notre e-mail des sept derniers jours annonçant que la validation en deux étapes a été activée\u202f: le lien qu’il contient la désactive et rend au compte l’adresse à laquelle vous recevez cet e-mail-ci. Le mot de passe du compte cessera alors de fonctionner, tout le monde sera déconnecté, et vous recevrez un lien pour choisir un nouveau mot de passe.',
        undo: {
          button: 'Annuler la modification',
          warning:
            'Si ce n’était pas vous, quelqu’un d’autre connaît votre mot de passe\u202f: annulez la modification à l’aide du lien. Le compte retrouvera alors l’adresse à laquelle vous recevez cet e-mail, son mot de passe cessera de fonctionner, tout le monde sera déconnecté, et vous recevrez un lien pour choisir un nouveau mot de passe.',
        },
      },
      'moved-by-operator': {
        subject: 'Votre compte {product} est désormais associé à une autre adresse e-mail',
        preview:
          'Ce changement a été fait le {when}. Si vous ne l’avez pas demandé, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Votre compte est désormais associé à une autre adresse',
        event:
          'Le {when}, les responsables de ce service ont associé à une autre adresse e-mail le compte {product} qui était associé à l’adresse {email}. Aucun moyen de s’y connecter ne fonctionne plus, et toute personne qui était connectée a été déconnectée.',
        warning:
          'Si ce n’est pas vous qui leur avez demandé ce changement, écrivez immédiatement aux responsables de ce service\u202f: eux seuls peuvent vous aider.',
      },
      'change-undone': {
        subject: 'L’ancienne adresse de votre compte {product} a été rétablie',
        preview: 'Elle a été rétablie le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Votre ancienne adresse a été rétablie',
        event:
          'L’ancienne adresse de votre compte a été rétablie le {when}\u202f: le compte {product} qui était associé à l’adresse {email} est de nouveau associé à l’adresse {newEmail}. Aucun moyen de s’y connecter ne fonctionne plus, et tout le monde a été déconnecté.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre peut lire les e-mails envoyés à l’adresse rétablie. Si cette boîte e-mail est la vôtre, modifiez-en le mot de passe, puis choisissez «\u00a0Mot de passe oublié\u202f?\u00a0» là où vous vous connectez. Si vous ne pouvez pas accéder à cette boîte e-mail, écrivez immédiatement aux responsables de ce service.',
      },
      'factor-set-up': {
        subject: 'La validation en deux étapes a été activée pour votre compte {product}',
        preview: 'Elle a été activée le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'La validation en deux étapes a été activée',
        event:
          'La validation en deux étapes a été activée le {when} pour le compte {product} associé à l’adresse {email}\u202f: pour se connecter, il faut désormais aussi un code d’une application d’authentification. Vos sessions ouvertes ailleurs ont été fermées.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre connaît votre mot de passe et peut lire vos e-mails. Modifiez le mot de passe de votre boîte e-mail, et écrivez aux responsables de ce service\u202f: eux seuls peuvent désactiver la validation en deux étapes.',
        undo: {
          button: 'Désactiver la validation en deux étapes',
          warning:
            'Si ce n’était pas vous, quelqu’un d’autre connaît votre mot de passe\u202f: désactivez la validation en deux étapes à l’aide du lien. Le mot de passe cessera alors de fonctionner, tout le monde sera déconnecté, et vous recevrez un lien pour choisir un nouveau mot de passe.',
        },
      },
      'factor-replaced': {
        subject: 'L’application d’authentification de votre compte {product} a été remplacée',
        preview: 'Elle a été remplacée le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Votre application d’authentification a été remplacée',
        event:
          'L’application d’authentification du compte {product} associé à l’adresse {email} a été remplacée le {when}\u202f: les codes de l’ancienne application et les anciens codes de récupération ne fonctionnent plus. Vos sessions ouvertes ailleurs ont été fermées.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre dispose de votre mot de passe, et d’un code de votre application ou d’un code de récupération. Seuls les responsables de ce service peuvent vous aider\u202f: écrivez-leur immédiatement.',
      },
      'factor-removed': {
        subject: 'La validation en deux étapes a été désactivée pour votre compte {product}',
        preview: 'Elle a été désactivée le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'La validation en deux étapes a été désactivée',
        event:
          'La validation en deux étapes du compte {product} associé à l’adresse {email} a été désactivée le {when}\u202f: pour se connecter, le mot de passe suffit désormais. Vos sessions ouvertes ailleurs ont été fermées.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre dispose de votre mot de passe, et d’un code de votre application ou d’un code de récupération. Choisissez «\u00a0Mot de passe oublié\u202f?\u00a0» là où vous vous connectez\u202f: un nouveau mot de passe déconnecte cette personne. Activez ensuite de nouveau la validation en deux étapes.',
      },
      'passkey-added': {
        subject: 'Une clé d’accès a été ajoutée à votre compte {product}',
        preview: 'Elle a été ajoutée le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Une clé d’accès a été ajoutée',
        event:
          'Une clé d’accès a été ajoutée le {when} au compte {product} associé à l’adresse {email}\u202f: elle permet de se connecter sans le mot de passe.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Seuls les responsables de ce service peuvent vous aider\u202f: écrivez-leur immédiatement.',
        warningWithReset:
          'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Choisissez «\u00a0Mot de passe oublié\u202f?\u00a0» là où vous vous connectez, sans conserver aucun autre moyen de connexion\u202f: cela supprime toutes les clés d’accès et déconnecte tout le monde. Si vous ne pouvez plus vous connecter ensuite, écrivez immédiatement aux responsables de ce service.',
        undo: {
          button: 'Supprimer la clé d’accès',
          warning:
            'Si ce n’était pas vous, quelqu’un d’autre connaît votre mot de passe\u202f: supprimez la clé d’accès à l’aide du lien. Le mot de passe cessera alors de fonctionner, tout le monde sera déconnecté, et vous recevrez un lien pour choisir un nouveau mot de passe.',
        },
      },
      'passkey-removed': {
        subject: 'Une clé d’accès de votre compte {product} a été supprimée',
        preview: 'Elle a été supprimée le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Une clé d’accès a été supprimée',
        event:
          'Une clé d’accès du compte {product} associé à l’adresse {email} a été supprimée le {when}. Vos sessions ouvertes ailleurs ont été fermées.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Choisissez «\u00a0Mot de passe oublié\u202f?\u00a0» là où vous vous connectez\u202f: un nouveau mot de passe déconnecte cette personne.',
      },
      'provider-connected': {
        subject: 'Une autre façon de se connecter à votre compte {product} a été associée',
        preview: 'Elle a été associée le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Une autre façon de se connecter a été associée',
        event:
          'Une connexion avec {provider} a été associée le {when} au compte {product} associé à l’adresse {email}\u202f: elle permet de se connecter sans le mot de passe.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Choisissez «\u00a0Mot de passe oublié\u202f?\u00a0» là où vous vous connectez\u202f: un nouveau mot de passe dissocie cette connexion et déconnecte la personne.',
        undo: {
          button: 'Dissocier cette connexion',
          warning:
            'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte\u202f: dissociez-la à l’aide du lien. Le mot de passe cessera alors de fonctionner, tout le monde sera déconnecté, et vous recevrez un lien pour choisir un nouveau mot de passe.',
        },
      },
      'provider-disconnected': {
        subject: 'Une façon de se connecter à votre compte {product} a été dissociée',
        preview: 'Elle a été dissociée le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Une façon de se connecter a été dissociée',
        event:
          'La connexion avec {provider} a été dissociée le {when} du compte {product} associé à l’adresse {email}. Vos sessions ouvertes ailleurs ont été fermées.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Choisissez «\u00a0Mot de passe oublié\u202f?\u00a0» là où vous vous connectez\u202f: un nouveau mot de passe déconnecte cette personne.',
      },
      'recovery-code-used': {
        subject: 'Un code de récupération de votre compte {product} a été utilisé',
        preview: 'Il a été utilisé le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Un code de récupération a été utilisé',
        event:
          'Le {when}, un code de récupération a été utilisé pour le compte {product} associé à l’adresse {email}, à la place d’un code de l’application. Codes de récupération restants\u202f:\u00a0{codesLeft}.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre dispose de votre mot de passe et de vos codes de récupération. Choisissez «\u00a0Mot de passe oublié\u202f?\u00a0» là où vous vous connectez\u202f: un nouveau mot de passe déconnecte cette personne. Créez ensuite de nouveaux codes de récupération.',
      },
      'password-known': {
        subject: 'Quelqu’un connaît peut-être votre mot de passe {product}',
        preview:
          'Des codes incorrects ont été saisis avec ce mot de passe le {when}. Si ce n’était pas vous, lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Quelqu’un connaît peut-être votre mot de passe',
        event:
          'Pour le compte {product} associé à l’adresse {email}, le bon mot de passe a été saisi plusieurs fois avec des codes incorrects, la dernière fois le {when}. La validation en deux étapes a empêché toute connexion.',
        warning:
          'Si ce n’était pas vous, quelqu’un d’autre connaît votre mot de passe. Choisissez «\u00a0Mot de passe oublié\u202f?\u00a0» là où vous vous connectez, et modifiez ce mot de passe partout ailleurs où vous l’utilisez.',
      },
      'session-reused': {
        subject: 'Votre session {product} a été fermée sur un appareil',
        preview: 'Elle a été fermée le {when}, pour votre sécurité. Lisez dans cet e-mail ce qu’il faut faire.',
        heading: 'Votre session a été fermée sur un appareil',
        event:
          'Une session du compte {product} associé à l’adresse {email} a été fermée le {when}, car elle était utilisée à deux endroits, alors que chacun doit avoir la sienne\u202f: quelqu’un a peut-être copié ce qui maintenait votre session ouverte sur l’appareil concerné. Vous pouvez vous reconnecter.',
        warning:
          'Si ce n’est pas vous qui utilisiez cette session aux deux endroits, quelqu’un d’autre a utilisé votre compte\u202f: modifiez votre mot de passe, ce qui ferme toutes les autres sessions, et recherchez, sur l’appareil où votre session a été fermée, des programmes que vous ne connaissez pas.',
      },
    },
  },
  pages: {
    frame: {
      language: 'Langue',
      continue: 'Continuer vers {product}',
      continueTo: 'Continuer vers {name}',
      support: 'Des questions\u202f? Écrivez à [{supportEmail}].',
      terms: 'Conditions d’utilisation',
      privacy: 'Politique de confiden\u00adtialité',
    },
    home: {
      account: 'Se connecter ou créer un compte',
      developers: 'Pour programmer\u202f: [Référence], [Modules de requête], [OpenAPI]',
    },
    notFound: {
      nothing: 'Il n’y a rien à cette adresse',
      check:
        'Vérifiez qu’elle ne contient pas de faute de frappe. Si vous avez suivi un lien, il était peut-être incomplet.',
      forPrograms: 'Cette adresse est destinée aux programmes',
      calledBy: 'Un navigateur ne peut pas l’ouvrir. Les programmes l’appellent avec {methods}.',
      near: 'Vous cherchiez peut-être\u202f:',
      nearCall: '{path} (les programmes l’appellent avec {methods})',
      either: '{methods} ou {method}',
      purpose: 'Aller à la page d’accueil',
    },
    link: {
      needsScript:
        'Cette page a besoin de JavaScript. Veuillez l’activer, puis ouvrir de nouveau le lien de votre e-mail.',
      void: 'Ce lien ne fonctionne plus',
      newLink: 'Sinon, demandez un nouveau lien.',
      cutOff: 'Si vous arrivez ici depuis un e-mail, le lien était incomplet\u202f: ouvrez le lien entier.',
      wasCutOff: 'Ce lien est incomplet',
      openWhole: 'Ouvrez de nouveau le lien de l’e-mail, en entier.',
      send: 'Envoyer un nouveau lien',
      sendAgain: 'Renvoyer',
      lifetime:
        'Le lien est valable {lifetime}. Si aucun e-mail n’arrive, vérifiez votre dossier de courrier indésirable et l’adresse.',
      resent: 'Renvoyé. Seul le lien de l’e-mail le plus récent fonctionne.',
      logInNow: 'Vous pouvez maintenant vous connecter.',
      logInWith: 'Vous pouvez maintenant l’utiliser pour vous connecter.',
      logInAgain: 'Vous devez vous reconnecter partout où vous aviez une session ouverte.',
    },
    verifyEmail: {
      heading: 'Confirmez votre adresse e-mail',
      ask: 'Si vous avez créé un compte {product}, confirmez que cette adresse est bien la vôtre. Sinon, fermez cette page.',
      submit: 'Confirmer l’adresse',
      done: 'Votre adresse est confirmée',
      otherTab: 'Si une page de connexion de ce navigateur attend cette confirmation, elle continue d’elle-même.',
      void: 'Un lien est valable {lifetime}, ne fonctionne qu’une seule fois, et seulement tant qu’aucun lien plus récent n’a été envoyé. Si vous avez déjà confirmé votre adresse, vous pouvez l’utiliser pour vous connecter.',
      get: 'Demander un lien de confirmation',
      where: 'Nous l’envoyons à l’adresse de votre compte.',
      sent: 'Si {email} est l’adresse d’un compte qui n’est pas encore confirmé, un e-mail contenant un lien est en route.',
    },
    resetPassword: {
      heading: 'Choisissez un nouveau mot de passe',
      first: 'Choisissez un mot de passe',
      submit: 'Enregistrer le nouveau mot de passe',
      keepLogins: 'Oui, les garder',
      removeLogins: 'Non, ou je ne sais pas\u202f: tous les supprimer',
      done: 'Votre mot de passe a été modifié',
      notYourApp:
        'Si l’application d’authentification n’est pas la vôtre, ouvrez le lien dans notre e-mail à ce sujet.',
      onceVerified:
        'Vous pourrez l’utiliser pour vous connecter dès que votre adresse e-mail sera confirmée. Si elle ne l’est pas encore, [demandez un lien de confirmation].',
      void: 'Un lien est valable {lifetime}, ne fonctionne qu’une seule fois, et seulement tant qu’aucun lien plus récent n’a été envoyé. Si vous avez déjà choisi un nouveau mot de passe, vous pouvez l’utiliser pour vous connecter.',
      where: 'Nous envoyons un lien à l’adresse de votre compte.',
    },
    resetLogins: {
      heading: 'Autres moyens de se connecter à ce compte\u202f:',
      ask: 'Sont-ils tous à vous\u202f?',
      unlisted: 'L’e-mail indique d’autres moyens de connexion. Sont-ils tous à vous\u202f?',
      app: 'Une application d’authenti\u00adfication, configurée le {day}',
      passkey: 'La clé d’accès «\u00a0{label}\u00a0», ajoutée le {day}',
      provider: '{label}, associé le {day}',
    },
    invitation: {
      heading: 'Acceptez votre invitation',
      submit: 'Créer le compte',
      done: 'Votre compte est prêt',
      void: 'Ce lien a déjà servi ou a expiré, ou un lien plus récent a été envoyé. Si vous avez déjà choisi un mot de passe, connectez-vous. Si votre invitation est toujours valable, nous vous envoyons un nouveau lien.',
      get: 'Demander un nouveau lien',
      where: 'Nous l’envoyons à l’adresse qui a été invitée.',
    },
    changeEmail: {
      heading: 'Confirmez votre nouvelle adresse e-mail',
      ask: 'Si vous avez demandé à utiliser cette adresse pour votre compte {product}, saisissez le mot de passe de ce compte. Sinon, fermez cette page.',
      submit: 'Confirmer la nouvelle adresse',
      done: 'Votre adresse e-mail a été modifiée',
      doneAbout:
        'Vous pouvez maintenant l’utiliser pour vous connecter. Vous devez vous reconnecter partout où vous aviez une session ouverte.',
      void: 'Un lien est valable {lifetime}, ne fonctionne qu’une seule fois, et seulement tant qu’aucun lien plus récent n’a été envoyé. Si vous avez déjà confirmé la nouvelle adresse, vous pouvez l’utiliser pour vous connecter.',
      stillOld:
        'Sinon, votre adresse est toujours l’ancienne\u202f: utilisez-la pour vous connecter, puis modifiez-la de nouveau.',
      cutOff:
        'Ouvrez de nouveau le lien de l’e-mail, en entier. Pour modifier votre adresse, commencez par vous connecter.',
    },
    undo: {
      heading: 'Annuler la modification',
      ask: 'Annuler la modification\u202f?',
      what: 'La modification décrite dans l’e-mail sera annulée, ainsi que toutes celles du même type faites depuis.',
      password:
        'Le mot de passe du compte cessera de fonctionner, tout le monde sera déconnecté, et nous vous enverrons par e-mail un lien pour choisir un nouveau mot de passe.',
      ifYou: 'Si c’est vous qui avez fait cette modification, fermez cette page.',
      done: 'La modification a été annulée',
      mail: 'Un e-mail contenant un lien est en route\u202f: utilisez ce lien pour choisir un nouveau mot de passe.',
      noMail: 'Si aucun e-mail n’arrive, vérifiez votre dossier de courrier indésirable, ou [demandez un autre lien].',
      void: 'Un lien est valable {lifetime}, ne fonctionne qu’une seule fois, et seulement tant qu’aucune modification antérieure n’a été annulée. Si vous avez déjà annulé la modification, choisissez un nouveau mot de passe avec le lien que nous vous avons envoyé par e-mail, ou [demandez-en un autre].',
      otherAccount:
        'Il ne fonctionne pas non plus si le compte a été supprimé, ou si un autre compte a maintenant votre adresse. Si cet autre compte est le vôtre, parce que vous en avez recréé un depuis, supprimez-le, puis ouvrez de nouveau le lien de l’e-mail.',
    },
    secondFactor: {
      heading: 'Configurez la validation en deux étapes',
      ask: 'Pour vous connecter à {product}, il faut un code d’une application d’authentification en plus de votre mot de passe. Installez une telle application sur votre téléphone, puis connectez-vous ici.',
      mailed:
        'Nous vous avons envoyé par e-mail un lien vers cette page. Ouvrez-le pour continuer\u202f: il est valable {lifetime} et ne fonctionne qu’une seule fois.',
      usedLink:
        'Si vous arrivez ici depuis un e-mail, son lien a déjà servi ou a expiré. Si aucun e-mail n’arrive, vérifiez votre dossier de courrier indésirable.',
      add: 'Ajoutez le compte à votre application',
      code: 'Code affiché par l’application',
      done: 'La validation en deux étapes est activée. Si vous perdez votre téléphone, chacun de ces codes vous permet de vous connecter une fois. Imprimez-les ou notez-les maintenant\u202f: personne ne peut les afficher de nouveau.',
      logInWithCode:
        'Vous pouvez maintenant vous connecter, avec un code de l’application. Vous devez vous reconnecter partout où vous aviez une session ouverte.',
      notNeeded: 'Vous pouvez vous connecter',
      notNeededAbout: 'Votre compte a déjà la validation en deux étapes, ou n’en a pas besoin.',
    },
    forms: {
      refusals: {
        'password-too-short': 'Ce mot de passe est trop court.',
        'password-too-common':
          'Choisissez un autre mot de passe. Celui-ci est trop facile à deviner\u202f: c’est un mot de passe courant, votre adresse e-mail (ou la partie qui précède le @), ou le nom {product}.',
        'former-password':
          'Choisissez un autre mot de passe que le précédent\u202f: quelqu’un d’autre connaît peut-être ce dernier.',
        'email-taken':
          'Un compte existe déjà avec cette adresse. Connectez-vous à ce compte, ou utilisez une autre adresse.',
        'bad-credentials': 'L’adresse e-mail ou le mot de passe est incorrect.',
        'wrong-password': 'Ce n’est pas le mot de passe du compte. Réessayez.',
        'email-not-verified':
          'Confirmez d’abord votre adresse e-mail\u202f: ouvrez le lien de l’e-mail que nous vous avons envoyé.',
        'account-locked': 'Ce compte est verrouillé.',
        'wrong-code':
          'Ce code est incorrect. Saisissez celui que l’application affiche maintenant. Si cela ne suffit pas, vérifiez que votre téléphone est à l’heure.',
        'used-code': 'Ce code a déjà servi. Attendez le suivant.',
        'codes-disabled':
          'Les codes de l’application ne fonctionnent plus, après trop de codes incorrects. Saisissez un code de récupération, ou réinitialisez votre mot de passe.',
        'wrong-passkey':
          'Cette clé d’accès ne fonctionne pas ici. Elle a peut-être été supprimée. Connectez-vous avec votre mot de passe.',
        'invalid-passkey-challenge': 'Cela a pris trop de temps. Réessayez.',
        'no-passkey': 'Cette clé d’accès n’existe plus.',
        'too-many-passkeys': 'Vous avez déjà dix clés d’accès. Supprimez-en une d’abord.',
        'passkey-required':
          'Connectez-vous avec une clé d’accès\u202f: le mot de passe seul ne suffit pas pour ce compte.',
        'passkeys-off': 'Les clés d’accès ne sont pas disponibles ici.',
        'no-second-factor-setup': 'Cela a pris trop de temps. Annulez, puis recommencez.',
        'second-factor-off': 'La validation en deux étapes n’est pas proposée ici.',
        'second-factor-setup':
          'Il vous faut la validation en deux étapes pour vous connecter. Nous vous avons envoyé un lien par e-mail\u202f: ouvrez-le pour la configurer.',
        'second-factor-required-here':
          'La validation en deux étapes est obligatoire ici. Vous pouvez passer à un nouveau téléphone, mais pas la désactiver.',
        'sign-up-closed':
          'Ici, les comptes sont ouverts sur invitation. Si vous avez reçu une invitation, ouvrez le lien de l’e-mail.',
        'email-domain-not-allowed':
          'Les adresses de ce domaine ne peuvent pas être utilisées ici. Essayez-en une autre.',
        'provider-not-found': 'Ce fournisseur n’est plus proposé ici. Connectez-vous autrement.',
        'provider-unavailable': '{name} ne répond pas. Réessayez ou connectez-vous autrement.',
        'provider-refused': '{name} n’a pas confirmé cette connexion. Recommencez.',
        'invalid-provider-token': 'Cette connexion a pris trop de temps. Recommencez.',
        'provider-not-allowed': 'Ce compte chez {name} ne peut pas être utilisé ici.',
        'provider-email-unverified':
          '{name} ne confirme pas votre adresse e-mail. Créez un compte avec un mot de passe, puis associez-le.',
        'password-required':
          'Il existe déjà un compte pour cette adresse. Saisissez une fois son mot de passe pour associer {name}.',
        'provider-taken': 'Ce compte chez {name} est associé à un autre compte ici.',
        'provider-limit': 'Cinq fournisseurs sont déjà associés. Dissociez-en un d’abord.',
        'no-password':
          'Ce compte n’a pas encore de mot de passe. Choisissez-en un à l’aide d’un lien envoyé par e-mail.',
        administrator:
          'Ce compte est un compte d’administration\u202f: ici, il ne peut ni être supprimé ni changer d’adresse.',
        'too-many-requests': 'Trop de tentatives depuis votre réseau. Réessayez {wait}.',
        unavailable: 'Le service ne fonctionne pas pour le moment. Réessayez {wait}.',
        internal: 'Une erreur s’est produite ({status}). Réessayez {wait}.',
      },
      soon: {
        'too-many-requests': 'Trop de tentatives depuis votre réseau. Réessayez dans un instant.',
        unavailable: 'Le service ne fonctionne pas pour le moment. Réessayez dans un instant.',
        internal: 'Une erreur s’est produite ({status}). Réessayez dans un instant.',
      },
      breached:
        'Choisissez un autre mot de passe. Celui-ci est apparu dans une fuite de données, et les voleurs essaient d’abord ces mots de passe.',
      unreachable: 'Le service est injoignable. Vérifiez votre connexion, puis réessayez.',
      fields: {
        email: {
          empty: 'Saisissez votre adresse e-mail.',
          invalid: 'Saisissez une adresse e-mail, par exemple {example}.',
        },
        password: {
          empty: 'Saisissez votre mot de passe.',
          invalid: 'Ce mot de passe n’est pas valable. Utilisez au plus 256\u00a0caractères.',
        },
        your_email: {
          empty: 'Saisissez votre adresse e-mail.',
          invalid: 'Ce n’est pas l’adresse de votre compte.',
        },
        code: { empty: 'Saisissez un code.', invalid: 'Ce code n’est pas valable.' },
        current_password: {
          empty: 'Saisissez votre mot de passe actuel.',
          invalid: 'Ce n’est pas votre mot de passe actuel.',
        },
        new_email: {
          empty: 'Saisissez la nouvelle adresse e-mail.',
          invalid: 'Saisissez une adresse e-mail, par exemple {example}.',
        },
        new_password: {
          empty: 'Saisissez un nouveau mot de passe.',
          invalid: 'Ce mot de passe n’est pas valable. Utilisez au plus 256\u00a0caractères.',
        },
        name: {
          empty: 'Saisissez un nom.',
          invalid:
            'Ce nom n’est pas valable. Utilisez au plus 200\u00a0caractères, sans caractère invisible, et pas seulement des espaces.',
        },
        label: {
          empty: 'Saisissez un nom.',
          invalid:
            'Ce nom n’est pas valable. Utilisez au plus 60\u00a0caractères, sans caractère invisible, et pas seulement des espaces.',
        },
        keep_other_logins: { empty: 'Choisissez une réponse.', invalid: 'Choisissez une réponse.' },
      },
      moment: 'Un instant…',
      device: 'En attente de votre appareil…',
      browserOn: '{browser} sur {system}',
      showPassword: 'Afficher le mot de passe',
      factor: {
        heading: 'Saisissez votre code',
        code: 'Code',
        hint: 'Six chiffres de votre application d’authentification.',
        recoveryCode: 'Code de récupération',
        hintRecovery: 'Un des codes que vous avez enregistrés en activant la validation en deux étapes.',
        useRecovery: 'Utiliser un code de récupération',
        useApp: 'Utiliser un code de l’application',
        wrongRecovery: 'Ce code de récupération est faux, ou a déjà servi.',
        back: 'Retour',
      },
      resent: 'Renvoyé.',
      noPasskeyUsed: 'Aucune clé d’accès n’a été utilisée. Réessayez ou connectez-vous avec votre mot de passe.',
      noPasskeyAdded: 'Aucune clé d’accès n’a été ajoutée. Réessayez.',
      hasPasskey: 'Cet appareil a déjà une clé d’accès pour votre compte.',
    },
    setup: {
      scan: 'Scannez ce code avec l’application d’authentification de votre téléphone.',
      qrCode: 'Code QR de la clé',
      orType: 'Ou copiez cette clé dans l’application, ou saisissez-la à la main\u202f:',
      typeCode: 'Saisissez ensuite les six chiffres que l’application affiche.',
      copyKey: 'Copier la clé',
      openApp: 'Ouvrir une application sur cet appareil',
      tookTooLong: 'Cela a pris trop de temps. Reconnectez-vous, et nous vous enverrons un autre lien par e-mail.',
      copyCodes: 'Copier les codes',
      saveCodes: 'Télécharger les codes',
      codesFile: 'Codes de récupération {product}',
      copied: 'Copié.',
    },
    providers: {
      or: 'ou',
      continueWith: 'Continuer avec {name}',
      notLoggedIn: 'Connexion avec {name} annulée. Réessayez ou connectez-vous autrement.',
      providerProblem: '{name} signale un problème. Réessayez ou connectez-vous autrement.',
    },
    signIn: {
      title: 'Se connecter',
      heading: 'Aucune session ouverte',
      stray: 'Cette connexion n’a pas démarré dans cet onglet, ou a déjà été utilisée. Recommencez.',
    },
    account: {
      title: 'Votre compte',
      needsScript: 'Cette page a besoin de JavaScript. Veuillez l’activer.',
    },
    authorize: {
      title: 'Se connecter',
      heading: 'Se connecter à {name}',
      stay: 'Garder ma session ouverte dans ce navigateur',
      hintStay:
        'D’autres applications pourront alors vous connecter ici sans rien demander. Ne cochez pas si d’autres personnes utilisent ce navigateur.',
      continueAs: 'Continuer en tant que {email}\u202f?',
      done: 'Votre session est ouverte',
      noClient: 'Cette application n’existe pas',
      noRedirect: 'L’application n’a pas le droit de renvoyer vers cette adresse',
      tellThem:
        'Vous ne pouvez pas vous connecter d’ici. Veuillez en informer les responsables de l’application qui vous a envoyé.',
    },
    logout: {
      ask: 'Se déconnecter de ce navigateur\u202f?',
      about: 'Vos sessions restent ouvertes dans les applications jusqu’à ce que vous vous déconnectiez de chacune.',
      done: 'Votre session est fermée dans ce navigateur',
      noWayOn: 'L’application a demandé à continuer vers une adresse qu’elle n’a pas le droit d’utiliser.',
    },
    headings: {
      logIn: 'Se connecter',
      register: 'Créer un compte',
      forgot: 'Réinitialiser votre mot de passe',
      sent: 'Consultez votre boîte e-mail',
      profile: 'Profil',
      security: 'Sécurité',
      sessions: 'Sessions',
    },
    controls: {
      email: 'Adresse e-mail',
      password: 'Mot de passe',
      name: 'Nom',
      nameOptional: 'Nom (facultatif)',
      currentPassword: 'Mot de passe actuel',
      newPassword: 'Nouveau mot de passe',
      showCurrentPassword: 'Afficher le mot de passe actuel',
      stay: 'Garder la session ouverte dans cet onglet',
      logIn: 'Se connecter',
      logOut: 'Se déconnecter',
      forgot: 'Mot de passe oublié\u202f?',
      register: 'Créer un compte',
      sendLink: 'Envoyer un lien',
      sendAgain: 'Renvoyer l’e-mail',
      goOn: 'Continuer',
      otherAddress: 'Utiliser une autre adresse',
      tryAgain: 'Réessayer',
      changeName: 'Modifier le nom',
      saveName: 'Enregistrer le nom',
      newEmail: 'Nouvelle adresse e-mail',
      changeAddress: 'Modifier l’adresse',
      changePassword: 'Modifier le mot de passe',
      another: 'Utiliser un autre compte',
      turnOn: 'Activer',
      newPhone: 'Passer à un nouveau téléphone',
      confirm: 'Confirmer',
      cancel: 'Annuler',
      newCodes: 'Créer de nouveaux codes de récupération',
      keptCodes: 'Je les ai enregistrés',
      turnOff: 'Désactiver',
      logOutEverywhere: 'Se déconnecter partout',
      deleteAccount: 'Supprimer le compte',
      yourEmail: 'Votre adresse e-mail',
      end: 'Fermer la session',
      endOthers: 'Se déconnecter de tous les autres appareils',
      changeLanguage: 'Modifier la langue',
      mailLanguage: 'Langue de nos e-mails',
      saveLanguage: 'Enregistrer la langue',
      logInWithPasskey: 'Se connecter avec une clé d’accès',
      usePasskey: 'Utiliser une clé d’accès',
      addPasskey: 'Ajouter une clé d’accès',
      passkeyName: 'Nom de la clé d’accès',
      rename: 'Renommer',
      remove: 'Supprimer',
      connect: 'Associer {name}',
      disconnect: 'Dissocier {name}',
      connectAndLogIn: 'Associer et se connecter',
      noPassword: 'Pas de mot de passe, ou oublié\u202f? Envoyer un lien',
      anotherWay: 'Se connecter autrement',
      choosePassword: 'Choisir un mot de passe',
    },
    texts: {
      thenComeBack:
        'Ouvrez le lien, sur n’importe quel appareil. Revenez ensuite ici et choisissez «\u00a0Continuer\u00a0».',
      needsFactor:
        'Il vous faut d’abord la validation en deux étapes. Un e-mail contenant un lien est en route vers {email}\u202f: ouvrez-le pour la configurer.',
      unverified: 'Confirmez d’abord votre adresse e-mail. Un e-mail contenant un lien est en route vers {email}.',
      terms: 'En créant un compte, vous acceptez les [conditions d’utilisation].',
      privacy: 'La [politique de confidentialité] indique ce que deviennent vos données.',
      navigation: 'Compte',
      sending: 'L’envoi d’un formulaire est encore en cours. Réessayez dans un instant.',
      newHere: 'Pas encore de compte\u202f? [Créer un compte]',
      notNew: 'Vous avez déjà un compte\u202f? [Se connecter]',
      hintStay: 'Sans cela, recharger la page vous déconnecte.',
      hintPassword: 'Au moins 8\u00a0caractères. Plus il est long, mieux c’est, et vous pouvez y mettre des espaces.',
      hintName: 'Nos e-mails s’adressent à vous par ce nom.',
      reloaded:
        'Le rechargement de la page a fermé votre session. Pour l’éviter, gardez la session ouverte dans cet onglet.',
      copied:
        'Un autre onglet utilise cette session, et chaque onglet a besoin de la sienne. Connectez-vous ici aussi.',
      ended:
        'Votre session a pris fin, car elle a expiré ou a été fermée. Connectez-vous pour reprendre là où vous en étiez.',
      loggedOut: 'Déconnexion effectuée.',
      loggedOutHere:
        'La déconnexion est effectuée dans cet onglet, mais le service n’a pas pu en être informé. Reconnectez-vous et fermez la session, ou attendez qu’elle expire.',
      loggedOutEverywhere: 'Déconnexion effectuée partout.',
      deleted: 'Votre compte a été supprimé.',
      registered: 'Votre compte est créé. Un e-mail contenant un lien est en route vers {email}.',
      thenGoOn:
        'Ouvrez le lien pour confirmer votre adresse. Si vous l’ouvrez dans ce navigateur, cette page continue d’elle-même.',
      thenLogIn: 'Ouvrez le lien pour confirmer votre adresse. Vous pourrez ensuite vous connecter.',
      logInNow: 'Ouvrez le lien pour confirmer votre adresse. Vous pouvez déjà vous connecter.',
      linkSent: 'Si {email} est l’adresse d’un compte, un e-mail contenant un lien est en route.',
      noMail: 'Si aucun e-mail n’arrive, vérifiez votre dossier de courrier indésirable et l’adresse.',
      newsSent: 'Un e-mail contenant un nouveau lien est en route. Seul le lien de l’e-mail le plus récent fonctionne.',
      noName: 'Aucun pour l’instant',
      nameSaved: 'Votre nom a été enregistré.',
      nameRemoved: 'Votre nom a été supprimé.',
      since: 'Votre compte a été créé le {day}.',
      verified: 'Confirmée',
      notVerified: 'Pas encore confirmée',
      verify:
        'Confirmez votre adresse e-mail {email}. Les clés d’accès et la validation en deux étapes viennent ensuite.',
      changeAddress:
        'Nous envoyons un lien à la nouvelle adresse. Votre adresse change une fois que vous avez ouvert ce lien dans cette boîte e-mail et saisi votre mot de passe. Pendant sept jours, l’ancienne adresse permet de reprendre le compte\u202f: avec le lien de notre e-mail sur cette modification (sauf si vous avez une application d’authentification), ou sur une application configurée pendant ces jours. Si quelqu’un d’autre lit l’ancienne boîte e-mail, configurez d’abord une application. Réinitialisez ensuite votre mot de passe par e-mail, répondez que tous les moyens de connexion indiqués sont à vous, puis modifiez l’adresse.',
      addressAsked: 'Si {email} est utilisable, un e-mail contenant un lien est en route vers cette adresse.',
      linkVoid: 'Le lien que nous avions envoyé à {email} ne fonctionne plus.',
      password: 'Mot de passe',
      changePassword: 'Une modification vous déconnecte partout, sauf ici.',
      passwordChanged: 'Votre mot de passe a été modifié.',
      lastChanged: 'Dernière modification\u202f: {time}',
      secondFactor: 'Validation en deux étapes',
      on: 'Activée',
      off: 'Désactivée',
      factorRemoved: 'La validation en deux étapes est désactivée.',
      noFactor: 'La connexion exige alors aussi un code d’une application.',
      hasFactor: 'La connexion demande un code de votre application d’authentification.',
      app: 'Application d’authenti\u00adfication',
      aboutApp: 'Produit les codes avec lesquels vous vous connectez.',
      replaceApp:
        'Si vous avez un nouveau téléphone, configurez-y l’application. L’ancienne cesse alors de fonctionner, et vos codes de récupération aussi.',
      recoveryCodes: 'Codes de récupération',
      codesLeft: 'Codes de récupération restants\u202f: {left}.',
      keepCodes: 'Enregistrez vos codes de récupération',
      aboutCodes:
        'Si vous perdez votre téléphone, chacun de ces codes vous permet de vous connecter une fois. Notez-les ou imprimez-les maintenant\u202f: personne ne peut les afficher de nouveau.',
      logOutEverywhere: 'Ferme votre session sur tous les appareils, y compris celui-ci.',
      deleteAccount: 'Supprime définitivement votre compte. Vous ne pourrez pas le rétablir.',
      sessions:
        'Voici où vos sessions sont ouvertes. Si vous n’en reconnaissez pas une, fermez-la et modifiez votre mot de passe.',
      noSessions: 'Vous n’avez aucune session.',
      noOwnSession:
        'La session de cet onglet reste ouverte jusqu’à ce que vous le rechargiez ou le fermiez, et elle ne figure pas dans cette liste.',
      thisTab: 'cet onglet',
      unnamed: 'Appareil sans nom',
      inBrowser: 'Session gardée ouverte dans un navigateur',
      justNow: 'à l’instant',
      lastUsed: 'Dernière utilisation\u202f: {time}',
      loggedInAt: 'Connexion\u202f: {time}',
      endInBrowser: 'Cela ferme aussi les sessions d’applications ouvertes grâce à elle.',
      sessionEnded: 'La session est fermée.',
      endOthers: 'Ferme toutes les sessions, sauf celle de cet onglet.',
      othersEnded: 'Déconnexion effectuée sur tous les autres appareils.',
      application: 'application',
      languageSaved: 'Nos e-mails arrivent désormais dans cette langue.',
      warningsLater:
        'Pendant sept jours, les avertissements concernant votre compte arrivent encore dans la précédente.',
      noLanguage: 'Pas encore choisie',
      passkeys: 'Clés d’accès',
      aboutPasskeys: 'Connexion par l’empreinte, le visage ou le code de l’appareil.',
      besidePassword: 'Votre mot de passe fonctionne toujours. Pour le protéger, activez la validation en deux étapes.',
      noWebAuthn: 'Ce navigateur ne peut pas utiliser de clés d’accès.',
      otherDomain: 'Les clés d’accès fonctionnent sur {domain}, mais pas à cette adresse.',
      useLocalhost: 'Les clés d’accès ne fonctionnent pas à cette adresse\u202f: utilisez [localhost].',
      passkeysOff: 'Les clés d’accès sont désactivées ici.',
      synced: 'synchronisée',
      onThisDevice: 'sur cet appareil seulement',
      addedAt: 'Ajoutée\u202f: {time}',
      neverUsed: 'Pas encore utilisée',
      passkeyAdded: 'La clé d’accès a été ajoutée.',
      passkeyRenamed: 'La clé d’accès a son nouveau nom.',
      removePasskey: 'Vous ne pourrez plus vous connecter avec elle, et vos sessions seront fermées partout sauf ici.',
      passkeyRemoved: 'La clé d’accès a été supprimée.',
      addressThere: 'Connexion avec {name} en tant que {email}',
      addressHere: 'Le compte ici\u202f: {email}',
      aboutConnecting:
        'Toute personne qui peut se connecter à ce compte {name} pourra se connecter à celui-ci. Si les deux sont à vous, saisissez le mot de passe de ce compte.',
      notChosen:
        'Si vous ne l’avez pas choisi, choisissez-en un nouveau par e-mail\u202f: cela déconnecte la personne qui l’a choisi.',
      waysToLogIn: 'Façons de se connecter',
      aboutProviders: 'Connectez-vous avec un autre fournisseur, sans mot de passe.',
      connectedAt: 'Associé\u202f: {time}',
      formerProvider: 'Un ancien fournisseur',
      disconnect: 'Vous ne pourrez plus vous connecter avec elle, et vos sessions seront fermées partout sauf ici.',
      disconnected: 'La connexion a été dissociée.',
      changes: 'Modifications des sept derniers jours',
      changed: {
        email: 'L’adresse e-mail a été changée',
        factor: 'La validation en deux étapes a été activée',
        passkey: 'Une clé d’accès a été ajoutée',
        provider: 'Un autre fournisseur a été associé',
        undone: 'Une modification a été annulée',
        'moved-by-operator': 'Les responsables de ce service ont changé l’adresse e-mail',
      },
      undoable: 'Le lien de notre e-mail à ce sujet l’annule.',
      notUndoable: 'Aucun lien ne l’annule.',
      noPassword: 'Votre compte n’a pas encore de mot de passe. Nous vous envoyons un lien qui permet d’en choisir un.',
    },
  },
} satisfies Words
