import type { Words } from './words.ts'

/** German. A draft made with machine help: no native reader has been through it yet. */
export const de = {
  name: 'Deutsch',
  dir: 'ltr',
  read: null,
  address: 'Sie',
  glossary: {
    password: 'Passwort',
    passkey: 'Passkey',
    'authenticator app': 'Authenticator-App',
    'recovery code': 'Wiederherstellungscode',
    'two-step verification': 'Bestätigung in zwei Schritten',
    'log in': 'anmelden',
  },
  mails: {
    frame: {
      hello: 'Guten Tag!',
      helloName: 'Guten Tag, {name}!',
      lifetime: 'Der Link funktioniert nur einmal und gilt {lifetime} lang.',
      until: 'Der Link funktioniert nur einmal und gilt bis zum {until}.',
      bareLink: 'Wenn die Schaltfläche nicht funktioniert, kopieren Sie diesen Link in Ihren Browser:',
      sender: 'Gesendet von {product}.',
      senderWithSupport: 'Gesendet von {product}. Fragen? Schreiben Sie an {support}.',
    },
    links: {
      verification: {
        subject: 'Bestätigen Sie Ihre E-Mail-Adresse für {product}',
        preview: 'Bestätigen Sie, dass diese Adresse Ihnen gehört. Der Link gilt {lifetime} lang.',
        heading: 'Bestätigen Sie Ihre Adresse',
        event:
          'Jemand hat mit der Adresse {email} ein neues Konto bei {product} eröffnet. Wenn Sie es waren, bestätigen Sie bitte, dass diese Adresse Ihnen gehört.',
        button: 'E-Mail-Adresse bestätigen',
        warning:
          'Wenn Sie es nicht waren, ignorieren Sie diese E-Mail und öffnen Sie den Link nicht: Dann wird die Adresse nicht bestätigt.',
      },
      reset: {
        subject: 'Setzen Sie Ihr Passwort für {product} zurück',
        preview: 'Jemand hat diesen Link angefordert. Er funktioniert nur einmal und gilt {lifetime} lang.',
        heading: 'Setzen Sie Ihr Passwort zurück',
        event:
          'Jemand hat darum gebeten, das Passwort des Kontos bei {product} mit der Adresse {email} zurückzusetzen. Wenn Sie es waren, wählen Sie jetzt ein neues.',
        button: 'Neues Passwort wählen',
        warning: 'Wenn Sie es nicht waren, ignorieren Sie diese E-Mail: Es ändert sich nichts.',
      },
      undone: {
        subject: 'Wählen Sie ein neues Passwort für {product}',
        preview:
          'Ihr bisheriges Passwort gilt nicht mehr. Dieser Link funktioniert nur einmal und gilt {lifetime} lang.',
        heading: 'Wählen Sie ein neues Passwort',
        event:
          'Eine Änderung am Konto bei {product} mit der Adresse {email} wurde rückgängig gemacht. Das Passwort des Kontos gilt nicht mehr, weil jemand anderes es kennen könnte. Wählen Sie jetzt ein anderes.',
        invitation:
          'Für diese Adresse gab es eine Einladung. Sie gilt nicht mehr: Sie haben Ihr Konto wieder. Wenn Sie noch brauchen, wofür sie gedacht war, fragen Sie die Betreiber dieses Dienstes.',
        button: 'Neues Passwort wählen',
        warning:
          'Wenn Sie diese Änderung nicht selbst rückgängig gemacht haben, kann jemand anderes Ihre E-Mails lesen. Ändern Sie zuerst das Passwort Ihres Postfachs und wählen Sie danach hier ein neues Passwort: Bis dahin kann sich niemand anmelden.',
      },
      moved: {
        subject: 'Wählen Sie ein Passwort für Ihr Konto bei {product}',
        preview: 'Ihr Konto hat jetzt diese Adresse. Der Link funktioniert nur einmal und gilt {lifetime} lang.',
        heading: 'Wählen Sie ein neues Passwort',
        event:
          'Die Betreiber dieses Dienstes haben Ihr Konto bei {product} auf Wunsch des Kontoinhabers auf diese E-Mail-Adresse übertragen: Es ist jetzt das Konto mit der Adresse {email}. Es hat kein Passwort: Wählen Sie ein neues. Damit bestätigen Sie, dass diese Adresse Ihnen gehört.',
        button: 'Neues Passwort wählen',
        warning:
          'Wenn Sie nicht darum gebeten haben, ignorieren Sie diese E-Mail, öffnen Sie den Link nicht und sagen Sie den Betreibern dieses Dienstes Bescheid.',
      },
      'second-factor': {
        subject: 'Richten Sie die Bestätigung in zwei Schritten für {product} ein',
        preview: 'Richten Sie sie mit einer Authenticator-App ein. Der Link gilt {lifetime} lang.',
        heading: 'Richten Sie die Bestätigung in zwei Schritten ein',
        event:
          'Jemand hat sich bei {product} mit dem Konto der Adresse {email} angemeldet. Dieses Konto braucht die Bestätigung in zwei Schritten. Wenn Sie es waren, richten Sie sie mit einer Authenticator-App auf Ihrem Telefon ein.',
        button: 'Bestätigung in zwei Schritten einrichten',
        warning:
          'Wenn Sie es nicht waren, kennt jemand anderes Ihr Passwort: Wählen Sie „Passwort vergessen?“, wo Sie sich anmelden, und ändern Sie das Passwort überall, wo Sie es sonst noch verwenden. Ohne diesen Link kann sich diese Person nicht anmelden.',
      },
      'email-change': {
        subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse für {product}',
        preview: 'Bestätigen Sie die neue Adresse mit Ihrem Passwort. Der Link gilt {lifetime} lang.',
        heading: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
        event:
          'Jemand hat darum gebeten, sein Konto bei {product} künftig mit der Adresse {email} zu verwenden. Wenn Sie es waren, bestätigen Sie das bitte mit dem Passwort des Kontos.',
        button: 'Neue Adresse bestätigen',
        warning:
          'Wenn Sie es nicht waren, ignorieren Sie diese E-Mail: Ohne das Passwort dieses Kontos ändert sich nichts.',
      },
      invitation: {
        subject: 'Sie sind zu {product} eingeladen',
        preview: 'Wählen Sie ein Passwort für Ihr Konto. Der Link funktioniert nur einmal und gilt bis zum {until}.',
        heading: 'Sie sind zu {product} eingeladen',
        event:
          'Die Betreiber dieses Dienstes haben für Sie ein Konto bei {product} mit der Adresse {email} eröffnet. Wählen Sie ein Passwort, um es zu verwenden.',
        button: 'Passwort wählen',
        warning:
          'Wenn Sie das nicht erwartet haben, ignorieren Sie diese E-Mail: Ohne sie kann niemand das Konto verwenden.',
      },
    },
    logins: {
      heading: 'Damit kann man sich ebenfalls anmelden:',
      app: 'Eine Authenticator-App, eingerichtet am {day}',
      passkey: 'Der Passkey „{label}“, hinzugefügt am {day}',
      passkeysLeft: 'Passkeys für dieses Konto: {passkeysLeft}.',
      provider: '{provider}, als {address}, verbunden am {day}',
      providerAlone: '{provider}, verbunden am {day}',
      providersLeft: 'Verbundene Anbieter: {providersLeft}.',
    },
    notices: {
      'password-changed': {
        subject: 'Ihr Passwort für {product} wurde geändert',
        preview: 'Es wurde am {when} geändert. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Ihr Passwort wurde geändert',
        event:
          'Das Passwort des Kontos bei {product} mit der Adresse {email} wurde am {when} geändert. Wer anderswo angemeldet war, muss sich erneut anmelden.',
        warning:
          'Wenn Sie es nicht waren, kennt jemand anderes Ihr Passwort oder kann Ihre E-Mails lesen. Ändern Sie zuerst das Passwort Ihres Postfachs. Wählen Sie danach „Passwort vergessen?“, wo Sie sich anmelden: Ein neues Passwort meldet die Person ab, die es geändert hat.',
      },
      'invitation-accepted': {
        subject: 'Ihre Einladung zu {product} wurde angenommen',
        preview: 'Sie wurde am {when} angenommen. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Ihre Einladung wurde angenommen',
        event:
          'Die Einladung zum Konto bei {product} mit der Adresse {email} wurde am {when} angenommen: Mit ihrem Link wurde ein Passwort gewählt.',
        warning:
          'Wenn Sie es nicht waren, hatte jemand anderes den Link oder kann Ihre E-Mails lesen. Ändern Sie zuerst das Passwort Ihres Postfachs. Wählen Sie danach „Passwort vergessen?“, wo Sie sich anmelden: Ein neues Passwort meldet die Person ab, die dieses gewählt hat.',
      },
      'account-deleted': {
        subject: 'Ihr Konto bei {product} wurde gelöscht',
        preview: 'Es wurde am {when} gelöscht. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Ihr Konto wurde gelöscht',
        event:
          'Das Konto bei {product} mit der Adresse {email} wurde am {when} gelöscht. Die Adresse kann wieder registriert werden.',
        warning:
          'Wenn Sie es nicht waren, kannte jemand anderes das Passwort des Kontos. Ändern Sie dieses Passwort überall, wo Sie es sonst noch verwenden. Über diese E-Mail lässt sich das Konto nicht wiederherstellen.',
      },
      'email-changed': {
        subject: 'Die Adresse Ihres Kontos bei {product} wurde geändert',
        preview: 'Sie wurde am {when} geändert. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Ihre E-Mail-Adresse wurde geändert',
        event:
          'Das Konto bei {product} mit der Adresse {email} hat seit dem {when} stattdessen die Adresse {newEmail}. Die E-Mails des Kontos gehen dorthin, und wer angemeldet war, muss sich erneut anmelden.',
        warning:
          'Wenn Sie es nicht waren, hat jemand anderes Ihr Passwort und einen Code aus Ihrer App oder einen Wiederherstellungscode. Nur die Betreiber dieses Dienstes können Ihnen helfen: Schreiben Sie ihnen sofort.',
        warningWithSetUpLink:
          'Wenn Sie es nicht waren, suchen Sie unsere E-Mail aus den letzten sieben Tagen, in der steht, dass die Bestätigung in zwei Schritten aktiviert wurde: Der Link darin deaktiviert sie wieder und gibt dem Konto die Adresse zurück, an die diese E-Mail ging. Das Passwort des Kontos gilt dann nicht mehr, alle werden abgemeldet, und Sie bekommen einen Link, um ein neues Passwort zu wählen.',
        undo: {
          button: 'Änderung rückgängig machen',
          warning:
            'Wenn Sie es nicht waren, kennt jemand anderes Ihr Passwort: Machen Sie die Änderung mit dem Link rückgängig. Das Konto hat dann wieder die Adresse, an die diese E-Mail ging, sein Passwort gilt nicht mehr, alle werden abgemeldet, und Sie bekommen einen Link, um ein neues Passwort zu wählen.',
        },
      },
      'moved-by-operator': {
        subject: 'Ihr Konto bei {product} wurde auf eine andere Adresse übertragen',
        preview: 'Es wurde am {when} übertragen. Wenn Sie nicht darum gebeten haben, lesen Sie hier, was zu tun ist.',
        heading: 'Ihr Konto wurde auf eine andere Adresse übertragen',
        event:
          'Die Betreiber dieses Dienstes haben das Konto bei {product} mit der Adresse {email} am {when} auf eine andere Adresse übertragen. Keine der bisherigen Arten, sich anzumelden, funktioniert mehr, und wer angemeldet war, ist abgemeldet.',
        warning:
          'Wenn nicht Sie darum gebeten haben, schreiben Sie sofort den Betreibern dieses Dienstes: Nur sie können Ihnen helfen.',
      },
      'change-undone': {
        subject: 'Ihr Konto bei {product} hat wieder seine frühere Adresse',
        preview:
          'Die Änderung wurde am {when} rückgängig gemacht. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Ihr Konto hat wieder seine frühere Adresse',
        event:
          'Ihr Konto bei {product}, das die Adresse {email} hatte, hat seit dem {when} wieder seine frühere Adresse {newEmail}. Keine der bisherigen Arten, sich anzumelden, funktioniert mehr, und alle wurden abgemeldet.',
        warning:
          'Wenn Sie es nicht waren, kann jemand anderes die E-Mails dieser früheren Adresse lesen. Wenn dieses Postfach Ihnen gehört, ändern Sie sein Passwort und wählen Sie danach „Passwort vergessen?“, wo Sie sich anmelden. Wenn Sie nicht in dieses Postfach hineinkommen, schreiben Sie sofort den Betreibern dieses Dienstes.',
      },
      'factor-set-up': {
        subject: 'Für Ihr Konto bei {product} wurde die Bestätigung in zwei Schritten aktiviert',
        preview: 'Sie wurde am {when} aktiviert. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Die Bestätigung in zwei Schritten wurde aktiviert',
        event:
          'Für das Konto bei {product} mit der Adresse {email} wurde am {when} die Bestätigung in zwei Schritten aktiviert: Zum Anmelden braucht man jetzt auch einen Code aus einer Authenticator-App. Wer anderswo angemeldet war, muss sich erneut anmelden.',
        warning:
          'Wenn Sie es nicht waren, kennt jemand anderes Ihr Passwort und kann Ihre E-Mails lesen. Ändern Sie das Passwort Ihres Postfachs und schreiben Sie den Betreibern dieses Dienstes: Nur sie können die Bestätigung in zwei Schritten deaktivieren.',
        undo: {
          button: 'Bestätigung in zwei Schritten deaktivieren',
          warning:
            'Wenn Sie es nicht waren, kennt jemand anderes Ihr Passwort: Deaktivieren Sie die Bestätigung in zwei Schritten mit dem Link. Das Passwort gilt dann nicht mehr, alle werden abgemeldet, und Sie bekommen einen Link, um ein neues Passwort zu wählen.',
        },
      },
      'factor-replaced': {
        subject: 'Die Authenticator-App Ihres Kontos bei {product} wurde ersetzt',
        preview: 'Sie wurde am {when} ersetzt. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Ihre Authenticator-App wurde ersetzt',
        event:
          'Die Authenticator-App des Kontos bei {product} mit der Adresse {email} wurde am {when} ersetzt: Die Codes der bisherigen App und die bisherigen Wiederherstellungscodes gelten nicht mehr. Wer anderswo angemeldet war, muss sich erneut anmelden.',
        warning:
          'Wenn Sie es nicht waren, hat jemand anderes Ihr Passwort und einen Code aus Ihrer App oder einen Wiederherstellungscode. Nur die Betreiber dieses Dienstes können Ihnen helfen: Schreiben Sie ihnen sofort.',
      },
      'factor-removed': {
        subject: 'Für Ihr Konto bei {product} wurde die Bestätigung in zwei Schritten deaktiviert',
        preview: 'Sie wurde am {when} deaktiviert. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Die Bestätigung in zwei Schritten wurde deaktiviert',
        event:
          'Für das Konto bei {product} mit der Adresse {email} wurde am {when} die Bestätigung in zwei Schritten deaktiviert: Zum Anmelden genügt jetzt das Passwort. Wer anderswo angemeldet war, muss sich erneut anmelden.',
        warning:
          'Wenn Sie es nicht waren, hat jemand anderes Ihr Passwort und einen Code aus Ihrer App oder einen Wiederherstellungscode. Wählen Sie „Passwort vergessen?“, wo Sie sich anmelden: Ein neues Passwort meldet diese Person ab. Aktivieren Sie danach die Bestätigung in zwei Schritten wieder.',
      },
      'passkey-added': {
        subject: 'Zu Ihrem Konto bei {product} wurde ein Passkey hinzugefügt',
        preview: 'Er wurde am {when} hinzugefügt. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Ein Passkey wurde hinzugefügt',
        event:
          'Zum Konto bei {product} mit der Adresse {email} wurde am {when} ein Passkey hinzugefügt: Mit ihm kann man sich ohne Passwort anmelden.',
        warning:
          'Wenn Sie es nicht waren, kann sich jemand anderes bei Ihrem Konto anmelden. Nur die Betreiber dieses Dienstes können Ihnen helfen: Schreiben Sie ihnen sofort.',
        warningWithReset:
          'Wenn Sie es nicht waren, kann sich jemand anderes bei Ihrem Konto anmelden. Wählen Sie „Passwort vergessen?“, wo Sie sich anmelden, und behalten Sie dabei keine der anderen Anmeldemöglichkeiten: Das entfernt alle Passkeys und meldet alle ab. Wenn Sie sich danach nicht anmelden können, schreiben Sie sofort den Betreibern dieses Dienstes.',
        undo: {
          button: 'Passkey entfernen',
          warning:
            'Wenn Sie es nicht waren, kennt jemand anderes Ihr Passwort: Entfernen Sie den Passkey mit dem Link. Das Passwort gilt dann nicht mehr, alle werden abgemeldet, und Sie bekommen einen Link, um ein neues Passwort zu wählen.',
        },
      },
      'passkey-removed': {
        subject: 'Ein Passkey Ihres Kontos bei {product} wurde entfernt',
        preview: 'Er wurde am {when} entfernt. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Ein Passkey wurde entfernt',
        event:
          'Ein Passkey des Kontos bei {product} mit der Adresse {email} wurde am {when} entfernt. Wer anderswo angemeldet war, muss sich erneut anmelden.',
        warning:
          'Wenn Sie es nicht waren, kann sich jemand anderes bei Ihrem Konto anmelden. Wählen Sie „Passwort vergessen?“, wo Sie sich anmelden: Ein neues Passwort meldet diese Person ab.',
      },
      'provider-connected': {
        subject: 'Mit Ihrem Konto bei {product} wurde eine weitere Anmeldung verbunden',
        preview: 'Sie wurde am {when} verbunden. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Eine weitere Anmeldung wurde verbunden',
        event:
          'Mit dem Konto bei {product} mit der Adresse {email} wurde am {when} eine Anmeldung bei {provider} verbunden: Mit ihr kann man sich ohne Passwort anmelden.',
        warning:
          'Wenn Sie es nicht waren, kann sich jemand anderes bei Ihrem Konto anmelden. Wählen Sie „Passwort vergessen?“, wo Sie sich anmelden: Ein neues Passwort trennt die Verbindung und meldet diese Person ab.',
        undo: {
          button: 'Diese Anmeldung trennen',
          warning:
            'Wenn Sie es nicht waren, kann sich jemand anderes bei Ihrem Konto anmelden: Trennen Sie die Verbindung mit dem Link. Das Passwort gilt dann nicht mehr, alle werden abgemeldet, und Sie bekommen einen Link, um ein neues Passwort zu wählen.',
        },
      },
      'provider-disconnected': {
        subject: 'Eine Anmeldung wurde von Ihrem Konto bei {product} getrennt',
        preview: 'Sie wurde am {when} getrennt. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Eine Anmeldung wurde getrennt',
        event:
          'Die Anmeldung bei {provider} wurde am {when} vom Konto bei {product} mit der Adresse {email} getrennt. Wer anderswo angemeldet war, muss sich erneut anmelden.',
        warning:
          'Wenn Sie es nicht waren, kann sich jemand anderes bei Ihrem Konto anmelden. Wählen Sie „Passwort vergessen?“, wo Sie sich anmelden: Ein neues Passwort meldet diese Person ab.',
      },
      'recovery-code-used': {
        subject: 'Ein Wiederherstellungscode Ihres Kontos bei {product} wurde verwendet',
        preview: 'Er wurde am {when} verwendet. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Ein Code zur Wiederherstellung wurde verwendet',
        event:
          'Für das Konto bei {product} mit der Adresse {email} wurde am {when} ein Wiederherstellungscode anstelle eines Codes aus der App verwendet. Übrige Wiederherstellungscodes: {codesLeft}.',
        warning:
          'Wenn Sie es nicht waren, hat jemand anderes Ihr Passwort und Ihre Wiederherstellungscodes. Wählen Sie „Passwort vergessen?“, wo Sie sich anmelden: Ein neues Passwort meldet diese Person ab. Erstellen Sie danach neue Wiederherstellungscodes.',
      },
      'password-known': {
        subject: 'Vielleicht kennt jemand Ihr Passwort für {product}',
        preview:
          'Am {when} wurde es zusammen mit falschen Codes eingegeben. Wenn Sie es nicht waren, lesen Sie hier, was zu tun ist.',
        heading: 'Vielleicht kennt jemand Ihr Passwort',
        event:
          'Für das Konto bei {product} mit der Adresse {email} wurde mehrmals das richtige Passwort mit falschen Codes eingegeben, zuletzt am {when}. Die Bestätigung in zwei Schritten hat niemanden hineingelassen.',
        warning:
          'Wenn Sie es nicht waren, kennt jemand anderes Ihr Passwort. Wählen Sie „Passwort vergessen?“, wo Sie sich anmelden, und ändern Sie das Passwort überall, wo Sie es sonst noch verwenden.',
      },
      'session-reused': {
        subject: 'Sie wurden bei {product} auf einem Gerät abgemeldet',
        preview: 'Das geschah am {when} zu Ihrer Sicherheit. Lesen Sie hier, was zu tun ist.',
        heading: 'Sie wurden auf einem Gerät abgemeldet',
        event:
          'Eine Sitzung des Kontos bei {product} mit der Adresse {email} wurde am {when} auf einem Gerät beendet, weil dieselbe Sitzung noch an einer zweiten Stelle verwendet wurde: Jemand hat vielleicht kopiert, was Sie auf diesem Gerät angemeldet hält. Sie können sich erneut anmelden.',
        warning:
          'Wenn Sie das nicht selbst waren, war jemand anderes in Ihrem Namen angemeldet. Ändern Sie Ihr Passwort: Das beendet alle anderen Anmeldungen bei Ihrem Konto. Suchen Sie außerdem auf dem abgemeldeten Gerät nach Programmen, die Sie nicht kennen.',
      },
    },
  },
  pages: {
    frame: {
      language: 'Sprache',
      continue: 'Weiter zu {product}',
      continueTo: 'Weiter zu {name}',
      support: 'Fragen? Schreiben Sie an [{supportEmail}].',
      terms: 'Nutzungs\u00adbedingungen',
      privacy: 'Datenschutz\u00aderklärung',
    },
    home: {
      account: 'Anmelden oder Konto eröffnen',
      developers: 'Für die Entwicklung: [Referenz], [Abfragemodule], [OpenAPI]',
    },
    notFound: {
      nothing: 'Unter dieser Adresse gibt es nichts',
      check: 'Prüfen Sie sie auf Tippfehler. Wenn ein Link Sie hierher geführt hat, wurde er vielleicht abgeschnitten.',
      forPrograms: 'Diese Adresse ist für Programme',
      calledBy: 'Ein Browser kann sie nicht öffnen. Programme rufen sie mit {methods} auf.',
      near: 'Meinten Sie das?',
      nearCall: '{path} (Programme rufen sie mit {methods} auf)',
      either: '{methods} oder {method}',
      purpose: 'Zur Startseite',
    },
    link: {
      needsScript:
        'Diese Seite braucht JavaScript. Bitte schalten Sie es ein und öffnen Sie den Link in Ihrer E-Mail noch einmal.',
      void: 'Dieser Link funktioniert nicht mehr',
      newLink: 'Wenn nicht, fordern Sie einen neuen Link an.',
      cutOff: 'Wenn eine E-Mail Sie hierher geführt hat, wurde der Link abgeschnitten: Öffnen Sie den ganzen Link.',
      wasCutOff: 'Dieser Link wurde abgeschnitten',
      openWhole: 'Öffnen Sie den ganzen Link in der E-Mail noch einmal.',
      send: 'Neuen Link senden',
      sendAgain: 'Noch einmal senden',
      lifetime:
        'Der Link gilt {lifetime} lang. Wenn keine E-Mail kommt, sehen Sie im Spam-Ordner nach und prüfen Sie die Adresse.',
      resent: 'Noch einmal gesendet. Nur der Link in der neuesten E-Mail funktioniert.',
      logInNow: 'Sie können sich jetzt anmelden.',
      logInWith: 'Sie können sich jetzt damit anmelden.',
      logInAgain: 'Überall, wo Sie angemeldet waren, müssen Sie sich erneut anmelden.',
    },
    verifyEmail: {
      heading: 'Bestätigen Sie Ihre E\u2011Mail-Adresse',
      ask: 'Wenn Sie ein Konto bei {product} eröffnet haben, bestätigen Sie, dass diese Adresse Ihnen gehört. Wenn nicht, schließen Sie diese Seite.',
      submit: 'E-Mail-Adresse bestätigen',
      done: 'Ihre Adresse ist bestätigt',
      otherTab: 'Wenn eine Anmeldeseite in diesem Browser darauf wartet, geht es dort von selbst weiter.',
      void: 'Ein Link funktioniert nur einmal, gilt {lifetime} lang und nur, bis ein neuerer gesendet wird. Wenn Sie Ihre Adresse schon bestätigt haben, können Sie sich damit anmelden.',
      get: 'Link zur Bestätigung anfordern',
      where: 'Wir schicken ihn an die Adresse Ihres Kontos.',
      sent: 'Gehört {email} zu einem noch nicht bestätigten Konto, ist eine E-Mail mit einem Link unterwegs.',
    },
    resetPassword: {
      heading: 'Wählen Sie ein neues Passwort',
      first: 'Wählen Sie ein Passwort',
      submit: 'Neues Passwort setzen',
      keepLogins: 'Ja, behalten',
      removeLogins: 'Nein oder unsicher: alle entfernen',
      done: 'Ihr Passwort wurde geändert',
      notYourApp: 'Wenn die Authenticator-App nicht Ihre ist, öffnen Sie den Link in unserer E-Mail darüber.',
      onceVerified:
        'Sie können sich damit anmelden, sobald Ihre E-Mail-Adresse bestätigt ist. Wenn sie noch nicht bestätigt ist, [fordern Sie einen Link zur Bestätigung an].',
      void: 'Ein Link funktioniert nur einmal, gilt {lifetime} lang und nur, bis ein neuerer gesendet wird. Wenn Sie schon ein neues Passwort gewählt haben, können Sie sich damit anmelden.',
      where: 'Wir schicken einen Link an die Adresse Ihres Kontos.',
    },
    resetLogins: {
      heading: 'Damit kann man sich ebenfalls anmelden:',
      ask: 'Gehört das alles Ihnen?',
      unlisted: 'Die E\u2011Mail nennt weitere Anmelde\u00admöglichkeiten. Gehören sie alle Ihnen?',
      app: 'Eine Authenticator-App, eingerichtet am {day}',
      passkey: 'Der Passkey „{label}“, hinzugefügt am {day}',
      provider: '{label}, verbunden am {day}',
    },
    invitation: {
      heading: 'Nehmen Sie Ihre Einladung an',
      submit: 'Konto eröffnen',
      done: 'Ihr Konto ist bereit',
      void: 'Dieser Link wurde schon verwendet, ist abgelaufen, oder ein neuerer wurde gesendet. Wenn Sie schon ein Passwort gewählt haben, melden Sie sich an. Wenn Ihre Einladung noch gilt, schicken wir Ihnen einen neuen Link.',
      get: 'Neuen Link anfordern',
      where: 'Wir schicken ihn an die Adresse, die eingeladen wurde.',
    },
    changeEmail: {
      heading: 'Bestätigen Sie Ihre neue E\u2011Mail-Adresse',
      ask: 'Wenn Sie diese Adresse für Ihr Konto bei {product} verwenden möchten, geben Sie das Passwort dieses Kontos ein. Wenn nicht, schließen Sie diese Seite.',
      submit: 'Neue Adresse bestätigen',
      done: 'Ihre E\u2011Mail-Adresse wurde geändert',
      doneAbout:
        'Sie können sich jetzt damit anmelden. Überall, wo Sie angemeldet waren, müssen Sie sich erneut anmelden.',
      void: 'Ein Link funktioniert nur einmal, gilt {lifetime} lang und nur, bis ein neuerer gesendet wird. Wenn Sie die neue Adresse schon bestätigt haben, können Sie sich damit anmelden.',
      stillOld:
        'Wenn nicht, gilt noch Ihre alte Adresse: Melden Sie sich mit ihr an und ändern Sie die Adresse noch einmal.',
      cutOff:
        'Öffnen Sie den ganzen Link in der E-Mail noch einmal. Um Ihre Adresse zu ändern, melden Sie sich zuerst an.',
    },
    undo: {
      heading: 'Änderung rückgängig machen',
      ask: 'Änderung rückgängig machen?',
      what: 'Die Änderung, von der die E-Mail berichtet, wird zurückgenommen, und alle späteren Änderungen derselben Art auch.',
      password:
        'Das Passwort des Kontos gilt dann nicht mehr, alle werden abgemeldet, und wir schicken Ihnen einen Link, um ein neues Passwort zu wählen.',
      ifYou: 'Wenn Sie die Änderung selbst vorgenommen haben, schließen Sie diese Seite.',
      done: 'Die Änderung wurde rückgängig gemacht',
      mail: 'Eine E-Mail mit einem Link ist zu Ihnen unterwegs: Wählen Sie damit ein neues Passwort.',
      noMail: 'Wenn keine E-Mail kommt, sehen Sie im Spam-Ordner nach oder [fordern Sie einen anderen Link an].',
      void: 'Ein Link funktioniert nur einmal, gilt {lifetime} lang und nur, bis eine frühere Änderung rückgängig gemacht wird. Wenn Sie die Änderung schon rückgängig gemacht haben, wählen Sie ein neues Passwort mit dem Link, den wir Ihnen geschickt haben, oder [fordern Sie einen anderen an].',
      otherAccount:
        'Er funktioniert auch dann nicht, wenn das Konto gelöscht wurde oder wenn inzwischen ein anderes Konto Ihre Adresse hat. Wenn dieses Ihnen gehört, weil Sie sich seitdem erneut registriert haben, löschen Sie es und öffnen Sie danach den Link in der E-Mail noch einmal.',
    },
    secondFactor: {
      heading: 'Richten Sie die Bestätigung in zwei Schritten ein',
      ask: 'Um sich bei {product} anzumelden, brauchen Sie neben Ihrem Passwort einen Code aus einer Authenticator-App. Installieren Sie eine solche App auf Ihrem Telefon und melden Sie sich danach hier an.',
      mailed:
        'Wir haben Ihnen einen Link zu dieser Seite geschickt. Öffnen Sie ihn, um fortzufahren: Er funktioniert nur einmal und gilt {lifetime} lang.',
      usedLink:
        'Wenn eine E-Mail Sie hierher geführt hat, wurde ihr Link schon verwendet oder ist abgelaufen. Wenn keine E-Mail kommt, sehen Sie im Spam-Ordner nach.',
      add: 'Fügen Sie das Konto Ihrer App hinzu',
      code: 'Code, den die App zeigt',
      done: 'Die Bestätigung in zwei Schritten ist aktiviert. Wenn Sie das Telefon verlieren, lässt jeder dieser Codes Sie einmal hinein. Drucken Sie sie aus oder schreiben Sie sie jetzt auf: Niemand kann sie noch einmal zeigen.',
      logInWithCode:
        'Sie können sich jetzt mit einem Code aus der App anmelden. Überall, wo Sie angemeldet waren, müssen Sie sich erneut anmelden.',
      notNeeded: 'Sie können sich anmelden',
      notNeededAbout: 'Ihr Konto hat die Bestätigung in zwei Schritten schon oder braucht sie nicht.',
    },
    forms: {
      refusals: {
        'password-too-short': 'Dieses Passwort ist zu kurz.',
        'password-too-common':
          'Wählen Sie ein anderes Passwort. Dieses ist zu leicht zu erraten: Es ist ein häufiges, Ihre E-Mail-Adresse (oder der Teil vor dem @) oder der Name {product}.',
        'former-password': 'Wählen Sie ein anderes Passwort als das bisherige: Jemand anderes könnte es kennen.',
        'email-taken':
          'Es gibt schon ein Konto mit dieser Adresse. Melden Sie sich dort an oder verwenden Sie eine andere Adresse.',
        'bad-credentials': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
        'wrong-password': 'Das ist nicht das Passwort des Kontos. Versuchen Sie es noch einmal.',
        'email-not-verified':
          'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Öffnen Sie den Link in der E-Mail, die wir Ihnen geschickt haben.',
        'account-locked': 'Dieses Konto ist gesperrt.',
        'wrong-code':
          'Dieser Code ist falsch. Geben Sie den Code ein, den die App gerade zeigt. Wenn das nicht hilft, prüfen Sie die Uhrzeit Ihres Telefons.',
        'used-code': 'Dieser Code wurde schon verwendet. Warten Sie auf den nächsten.',
        'codes-disabled':
          'Codes aus der App gelten nicht mehr, weil zu viele falsche eingegeben wurden. Geben Sie einen Wiederherstellungscode ein oder setzen Sie Ihr Passwort zurück.',
        'wrong-passkey':
          'Dieser Passkey funktioniert hier nicht. Vielleicht wurde er entfernt. Melden Sie sich mit Ihrem Passwort an.',
        'invalid-passkey-challenge': 'Es hat zu lange gedauert. Versuchen Sie es noch einmal.',
        'no-passkey': 'Diesen Passkey gibt es nicht mehr.',
        'too-many-passkeys': 'Sie haben schon zehn Passkeys. Entfernen Sie zuerst einen.',
        'passkey-required': 'Melden Sie sich mit einem Passkey an: Das Passwort allein genügt für dieses Konto nicht.',
        'passkeys-off': 'Passkeys gibt es hier nicht.',
        'no-second-factor-setup': 'Es hat zu lange gedauert. Brechen Sie ab und beginnen Sie noch einmal.',
        'second-factor-off': 'Die Bestätigung in zwei Schritten gibt es hier nicht.',
        'second-factor-setup':
          'Sie brauchen die Bestätigung in zwei Schritten, um sich anzumelden. Wir haben Ihnen einen Link geschickt: Öffnen Sie ihn, um sie einzurichten.',
        'second-factor-required-here':
          'Die Bestätigung in zwei Schritten ist hier vorgeschrieben. Sie können damit auf ein neues Telefon umziehen, sie aber nicht deaktivieren.',
        'sign-up-closed':
          'Konten werden hier auf Einladung eröffnet. Wenn Sie eine Einladung haben, öffnen Sie den Link in der E-Mail.',
        'email-domain-not-allowed':
          'Adressen dieser Domain können hier nicht verwendet werden. Versuchen Sie es mit einer anderen.',
        'provider-not-found': 'Diesen Anbieter gibt es hier nicht mehr. Melden Sie sich auf andere Weise an.',
        'provider-unavailable':
          '{name} antwortet nicht. Versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.',
        'provider-refused': '{name} hat diese Anmeldung nicht bestätigt. Fangen Sie noch einmal an.',
        'invalid-provider-token': 'Diese Anmeldung hat zu lange gedauert. Fangen Sie noch einmal an.',
        'provider-not-allowed': 'Dieses Konto bei {name} kann hier nicht verwendet werden.',
        'provider-email-unverified':
          '{name} bestätigt Ihre E-Mail-Adresse nicht. Eröffnen Sie ein Konto mit einem Passwort und verbinden Sie es dann.',
        'password-required':
          'Für diese Adresse gibt es schon ein Konto. Geben Sie einmal dessen Passwort ein, um {name} zu verbinden.',
        'provider-taken': 'Dieses Konto bei {name} ist hier mit einem anderen Konto verbunden.',
        'provider-limit': 'Es sind schon fünf Anbieter verbunden. Trennen Sie zuerst einen.',
        'no-password': 'Dieses Konto hat noch kein Passwort. Wählen Sie eines über einen Link, den wir Ihnen schicken.',
        administrator:
          'Dies ist ein Administratorkonto: Hier kann es weder gelöscht werden noch eine andere Adresse bekommen.',
        'too-many-requests': 'Aus Ihrem Netz kamen zu viele Versuche. Versuchen Sie es {wait} noch einmal.',
        unavailable: 'Der Dienst funktioniert im Moment nicht. Versuchen Sie es {wait} noch einmal.',
        internal: 'Etwas ist schiefgegangen ({status}). Versuchen Sie es {wait} noch einmal.',
      },
      soon: {
        'too-many-requests': 'Aus Ihrem Netz kamen zu viele Versuche. Versuchen Sie es gleich noch einmal.',
        unavailable: 'Der Dienst funktioniert im Moment nicht. Versuchen Sie es gleich noch einmal.',
        internal: 'Etwas ist schiefgegangen ({status}). Versuchen Sie es gleich noch einmal.',
      },
      breached:
        'Wählen Sie ein anderes Passwort. Dieses ist bei einem Datenleck aufgetaucht, und Diebe probieren solche Passwörter zuerst.',
      unreachable: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
      fields: {
        email: {
          empty: 'Geben Sie Ihre E-Mail-Adresse ein.',
          invalid: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel {example}.',
        },
        password: {
          empty: 'Geben Sie Ihr Passwort ein.',
          invalid: 'Das ist kein gültiges Passwort. Verwenden Sie höchstens 256 Zeichen.',
        },
        your_email: {
          empty: 'Geben Sie Ihre E-Mail-Adresse ein.',
          invalid: 'Das ist nicht die Adresse Ihres Kontos.',
        },
        code: { empty: 'Geben Sie einen Code ein.', invalid: 'Das ist kein gültiger Code.' },
        current_password: {
          empty: 'Geben Sie Ihr aktuelles Passwort ein.',
          invalid: 'Das ist nicht Ihr aktuelles Passwort.',
        },
        new_email: {
          empty: 'Geben Sie die neue E-Mail-Adresse ein.',
          invalid: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel {example}.',
        },
        new_password: {
          empty: 'Geben Sie ein neues Passwort ein.',
          invalid: 'Das ist kein gültiges Passwort. Verwenden Sie höchstens 256 Zeichen.',
        },
        name: {
          empty: 'Geben Sie einen Namen ein.',
          invalid:
            'Das ist kein gültiger Name. Verwenden Sie höchstens 200 Zeichen, keine unsichtbaren und nicht nur Leerzeichen.',
        },
        label: {
          empty: 'Geben Sie einen Namen ein.',
          invalid:
            'Das ist kein gültiger Name. Verwenden Sie höchstens 60 Zeichen, keine unsichtbaren und nicht nur Leerzeichen.',
        },
        keep_other_logins: { empty: 'Wählen Sie eine Antwort.', invalid: 'Wählen Sie eine Antwort.' },
      },
      moment: 'Einen Moment…',
      device: 'Warten auf Ihr Gerät…',
      browserOn: '{browser} unter {system}',
      showPassword: 'Passwort anzeigen',
      factor: {
        heading: 'Code eingeben',
        code: 'Code',
        hint: 'Sechs Ziffern aus Ihrer Authenticator-App.',
        recoveryCode: 'Wieder\u00adherstellungs\u00adcode',
        hintRecovery: 'Einer der Codes, die Sie beim Aktivieren der Bestätigung in zwei Schritten gespeichert haben.',
        useRecovery: 'Wieder\u00adherstellungs\u00adcode verwenden',
        useApp: 'Code aus der App verwenden',
        wrongRecovery: 'Dieser Wiederherstellungscode ist falsch oder wurde schon verwendet.',
        back: 'Zurück',
      },
      resent: 'Noch einmal gesendet.',
      noPasskeyUsed:
        'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal oder melden Sie sich mit Ihrem Passwort an.',
      noPasskeyAdded: 'Es wurde kein Passkey hinzugefügt. Versuchen Sie es noch einmal.',
      hasPasskey: 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
    },
    setup: {
      scan: 'Scannen Sie diesen Code mit der Authenticator-App auf Ihrem Telefon.',
      qrCode: 'QR-Code des Schlüssels',
      orType: 'Oder kopieren Sie diesen Schlüssel in die App oder tippen Sie ihn dort ein:',
      typeCode: 'Tippen Sie die sechs Ziffern ein, die die App dann zeigt.',
      copyKey: 'Schlüssel kopieren',
      openApp: 'App auf diesem Gerät öffnen',
      tookTooLong:
        'Es hat zu lange gedauert. Melden Sie sich noch einmal an, dann schicken wir Ihnen einen anderen Link.',
      copyCodes: 'Codes kopieren',
      saveCodes: 'Codes herunterladen',
      codesFile: '{product} Wieder\u00adherstellungs\u00adcodes',
      copied: 'Kopiert.',
    },
    providers: {
      or: 'oder',
      continueWith: 'Weiter mit {name}',
      notLoggedIn:
        'Die Anmeldung mit {name} wurde abgebrochen. Versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.',
      providerProblem:
        '{name} meldet ein Problem. Versuchen Sie es noch einmal oder melden Sie sich auf andere Weise an.',
    },
    signIn: {
      title: 'Anmelden',
      heading: 'Sie sind nicht angemeldet',
      stray: 'Diese Anmeldung wurde nicht in diesem Tab begonnen oder schon verwendet. Fangen Sie noch einmal an.',
    },
    account: {
      title: 'Ihr Konto',
      needsScript: 'Diese Seite braucht JavaScript. Bitte schalten Sie es ein.',
    },
    authorize: {
      title: 'Anmelden',
      heading: 'Bei {name} anmelden',
      stay: 'In diesem Browser angemeldet bleiben',
      hintStay:
        'Andere Anwendungen können Sie dann hier ohne Nachfrage anmelden. Setzen Sie das Häkchen nicht, wenn auch andere diesen Browser benutzen.',
      continueAs: 'Weiter als {email}?',
      done: 'Sie sind angemeldet',
      noClient: 'Diese Anwendung gibt es nicht',
      noRedirect: 'Die Anwendung darf niemanden an diese Adresse zurückschicken',
      tellThem:
        'Von hier aus können Sie sich nicht anmelden. Bitte sagen Sie es den Betreibern der Anwendung, die Sie hierher geschickt hat.',
    },
    logout: {
      ask: 'In diesem Browser abmelden?',
      about: 'Bei Anwendungen bleiben Sie angemeldet, bis Sie sich bei jeder abmelden.',
      done: 'Sie sind in diesem Browser abgemeldet',
      noWayOn: 'Die Anwendung wollte an eine Adresse weiterleiten, die sie nicht verwenden darf.',
    },
    headings: {
      logIn: 'Anmelden',
      register: 'Konto eröffnen',
      forgot: 'Passwort zurücksetzen',
      sent: 'Sehen Sie in Ihrem Postfach nach',
      profile: 'Profil',
      security: 'Sicherheit',
      sessions: 'Sitzungen',
    },
    controls: {
      email: 'E-Mail-Adresse',
      password: 'Passwort',
      name: 'Name',
      nameOptional: 'Name (optional)',
      currentPassword: 'Aktuelles Passwort',
      newPassword: 'Neues Passwort',
      showCurrentPassword: 'Aktuelles Passwort anzeigen',
      stay: 'In diesem Tab angemeldet bleiben',
      logIn: 'Anmelden',
      logOut: 'Abmelden',
      forgot: 'Passwort vergessen?',
      register: 'Konto eröffnen',
      sendLink: 'Link senden',
      sendAgain: 'E-Mail noch einmal senden',
      goOn: 'Weiter',
      otherAddress: 'Andere Adresse verwenden',
      tryAgain: 'Noch einmal versuchen',
      changeName: 'Namen ändern',
      saveName: 'Namen speichern',
      newEmail: 'Neue E-Mail-Adresse',
      changeAddress: 'Adresse ändern',
      changePassword: 'Passwort ändern',
      another: 'Anderes Konto verwenden',
      turnOn: 'Aktivieren',
      newPhone: 'Auf ein neues Telefon umziehen',
      confirm: 'Bestätigen',
      cancel: 'Abbrechen',
      newCodes: 'Neue Wieder\u00adherstellungs\u00adcodes erstellen',
      keptCodes: 'Ich habe sie gespeichert',
      turnOff: 'Deaktivieren',
      logOutEverywhere: 'Überall abmelden',
      deleteAccount: 'Konto löschen',
      yourEmail: 'Ihre E-Mail-Adresse',
      end: 'Beenden',
      endOthers: 'Auf allen anderen Geräten abmelden',
      changeLanguage: 'Sprache ändern',
      mailLanguage: 'Sprache unserer E-Mails',
      saveLanguage: 'Sprache speichern',
      logInWithPasskey: 'Mit Passkey anmelden',
      usePasskey: 'Passkey verwenden',
      addPasskey: 'Passkey hinzufügen',
      passkeyName: 'Name des Passkeys',
      rename: 'Umbenennen',
      remove: 'Entfernen',
      connect: '{name} verbinden',
      disconnect: '{name} trennen',
      connectAndLogIn: 'Verbinden und anmelden',
      noPassword: 'Kein Passwort oder vergessen? Link senden',
      anotherWay: 'Auf andere Weise anmelden',
      choosePassword: 'Passwort wählen',
    },
    texts: {
      thenComeBack:
        'Öffnen Sie den Link, auf einem beliebigen Gerät. Kommen Sie dann hierher zurück und wählen Sie „Weiter“.',
      needsFactor:
        'Sie brauchen zuerst die Bestätigung in zwei Schritten. Wir haben einen Link an {email} geschickt: Richten Sie sie dort ein.',
      unverified: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse. Wir haben einen Link an {email} geschickt.',
      terms: 'Mit dem Eröffnen eines Kontos stimmen Sie den [Nutzungsbedingungen] zu.',
      privacy: 'Was mit Ihren Daten geschieht, steht in der [Datenschutzerklärung].',
      navigation: 'Konto',
      sending: 'Ein Formular wird noch gesendet. Versuchen Sie es gleich noch einmal.',
      newHere: 'Neu hier? [Konto eröffnen]',
      notNew: 'Sie haben schon ein Konto? [Anmelden]',
      hintStay: 'Sonst werden Sie beim Neuladen der Seite abgemeldet.',
      hintPassword: 'Mindestens 8 Zeichen. Länger ist besser, auch Leerzeichen sind erlaubt.',
      hintName: 'So sprechen wir Sie in unseren E-Mails an.',
      reloaded:
        'Beim Neuladen der Seite wurden Sie abgemeldet. Um das zu verhindern, wählen Sie „In diesem Tab angemeldet bleiben“.',
      copied:
        'Ein anderer Tab verwendet diese Anmeldung, und jeder Tab braucht seine eigene. Melden Sie sich auch hier an.',
      ended:
        'Sie sind abgemeldet, weil Ihre Anmeldung abgelaufen ist oder beendet wurde. Melden Sie sich an, um dort weiterzumachen, wo Sie waren.',
      loggedOut: 'Sie sind abgemeldet.',
      loggedOutHere:
        'Sie sind in diesem Tab abgemeldet, aber der Dienst hat es nicht erfahren. Melden Sie sich noch einmal an und beenden Sie die Sitzung, oder warten Sie, bis sie abläuft.',
      loggedOutEverywhere: 'Sie sind überall abgemeldet.',
      deleted: 'Ihr Konto wurde gelöscht.',
      registered: 'Ihr Konto ist eröffnet. Wir haben einen Link an {email} geschickt.',
      thenGoOn:
        'Öffnen Sie den Link, um Ihre Adresse zu bestätigen. Wenn Sie ihn in diesem Browser öffnen, geht es auf dieser Seite von selbst weiter.',
      thenLogIn: 'Öffnen Sie den Link, um Ihre Adresse zu bestätigen. Danach können Sie sich anmelden.',
      logInNow: 'Öffnen Sie den Link, um Ihre Adresse zu bestätigen. Anmelden können Sie sich schon jetzt.',
      linkSent: 'Wenn {email} die Adresse eines Kontos ist, ist eine E-Mail mit einem Link unterwegs.',
      noMail: 'Wenn keine E-Mail kommt, sehen Sie im Spam-Ordner nach und prüfen Sie die Adresse.',
      newsSent: 'Eine E-Mail mit einem neuen Link ist unterwegs. Nur der Link in der neuesten E-Mail funktioniert.',
      noName: 'Noch keiner',
      nameSaved: 'Ihr Name wurde gespeichert.',
      nameRemoved: 'Ihr Name wurde entfernt.',
      since: 'Ihr Konto wurde am {day} erstellt.',
      verified: 'Bestätigt',
      notVerified: 'Noch nicht bestätigt',
      verify:
        'Bestätigen Sie Ihre E-Mail-Adresse {email}. Danach sind Passkeys und die Bestätigung in zwei Schritten möglich.',
      changeAddress:
        'Wir schicken einen Link an die neue Adresse. Ihre Adresse ändert sich, sobald Sie ihn dort öffnen und Ihr Passwort eingeben. Sieben Tage lang kann die alte Adresse das Konto zurückholen: mit dem Link in unserer E-Mail über diese Änderung (außer wenn Sie eine Authenticator-App haben) oder über eine App, die in diesen Tagen eingerichtet wurde. Wenn jemand anderes das alte Postfach liest, richten Sie zuerst eine App ein. Setzen Sie dann Ihr Passwort per E-Mail zurück, antworten Sie, dass alle Anmeldemöglichkeiten darin Ihnen gehören, und ändern Sie danach die Adresse.',
      addressAsked: 'Wenn {email} verwendet werden kann, ist eine E-Mail mit einem Link dorthin unterwegs.',
      linkVoid: 'Der Link, den wir zuvor an {email} geschickt haben, funktioniert nicht mehr.',
      password: 'Passwort',
      changePassword: 'Wenn Sie es ändern, werden Sie überall außer hier abgemeldet.',
      passwordChanged: 'Ihr Passwort wurde geändert.',
      lastChanged: 'Zuletzt geändert: {time}',
      secondFactor: 'Bestätigung in zwei Schritten',
      on: 'Aktiviert',
      off: 'Deaktiviert',
      factorRemoved: 'Die Bestätigung in zwei Schritten ist deaktiviert.',
      noFactor: 'Die Anmeldung braucht dann auch einen Code aus einer App.',
      hasFactor: 'Beim Anmelden wird ein Code aus Ihrer Authenticator-App verlangt.',
      app: 'Authenticator-App',
      aboutApp: 'Erzeugt die Codes, mit denen Sie sich anmelden.',
      replaceApp:
        'Wenn Sie ein neues Telefon haben, richten Sie die App dort ein. Die alte funktioniert dann nicht mehr, und Ihre Wiederherstellungscodes auch nicht.',
      recoveryCodes: 'Wieder\u00adherstellungs\u00adcodes',
      codesLeft: 'Noch übrig: {left}.',
      keepCodes: 'Sichern Sie Ihre Wieder\u00adherstellungs\u00adcodes',
      aboutCodes:
        'Wenn Sie das Telefon verlieren, lässt jeder dieser Codes Sie einmal hinein. Schreiben Sie sie auf oder drucken Sie sie jetzt aus: Niemand kann sie noch einmal zeigen.',
      logOutEverywhere: 'Meldet Sie auf allen Geräten ab, auch auf diesem.',
      deleteAccount: 'Löscht Ihr Konto endgültig. Sie können es nicht zurückholen.',
      sessions:
        'Hier sehen Sie, wo Sie angemeldet sind. Wenn Sie eine Sitzung nicht kennen, beenden Sie sie und ändern Sie Ihr Passwort.',
      noSessions: 'Sie haben keine Sitzungen.',
      noOwnSession: 'Dieser Tab ist angemeldet, bis Sie ihn neu laden oder schließen, und steht nicht in dieser Liste.',
      thisTab: 'dieser Tab',
      unnamed: 'Gerät ohne Namen',
      inBrowser: 'Bleibt in einem Browser angemeldet',
      justNow: 'gerade eben',
      lastUsed: 'Zuletzt verwendet: {time}',
      loggedInAt: 'Angemeldet: {time}',
      endInBrowser: 'Das beendet auch die Sitzungen von Anwendungen, die damit geöffnet wurden.',
      sessionEnded: 'Die Sitzung ist beendet.',
      endOthers: 'Beendet alle Sitzungen bis auf die dieses Tabs.',
      othersEnded: 'Sie sind auf allen anderen Geräten abgemeldet.',
      application: 'Anwendung',
      languageSaved: 'Unsere E-Mails kommen jetzt in dieser Sprache.',
      warningsLater: 'Sieben Tage lang kommen Warnungen zu Ihrem Konto noch in der bisherigen.',
      noLanguage: 'Noch nicht gewählt',
      passkeys: 'Passkeys',
      aboutPasskeys: 'Anmeldung mit Fingerabdruck, Gesicht oder PIN Ihres Geräts.',
      besidePassword:
        'Ihr Passwort gilt weiterhin. Um es zu schützen, aktivieren Sie die Bestätigung in zwei Schritten.',
      noWebAuthn: 'Dieser Browser kann keine Passkeys verwenden.',
      otherDomain: 'Passkeys funktionieren auf {domain}, aber nicht unter dieser Adresse.',
      useLocalhost: 'Unter dieser Adresse funktionieren Passkeys nicht: Verwenden Sie [localhost].',
      passkeysOff: 'Passkeys sind hier abgeschaltet.',
      synced: 'synchronisiert',
      onThisDevice: 'nur auf diesem Gerät',
      addedAt: 'Hinzugefügt: {time}',
      neverUsed: 'Noch nicht verwendet',
      passkeyAdded: 'Der Passkey wurde hinzugefügt.',
      passkeyRenamed: 'Der Passkey hat seinen neuen Namen.',
      removePasskey: 'Damit können Sie sich dann nicht mehr anmelden, und Sie werden überall außer hier abgemeldet.',
      passkeyRemoved: 'Der Passkey wurde entfernt.',
      addressThere: 'Mit {name} angemeldet als {email}',
      addressHere: 'Das Konto hier: {email}',
      aboutConnecting:
        'Wer sich bei diesem Konto von {name} anmelden kann, kann sich dann auch hier anmelden. Wenn beide Ihnen gehören, geben Sie das Passwort dieses Kontos ein.',
      notChosen: 'Wenn nicht Sie es gewählt haben, wählen Sie per E-Mail ein neues: Das meldet ab, wer es gewählt hat.',
      waysToLogIn: 'Andere Anbieter',
      aboutProviders: 'Anmeldung mit einem anderen Anbieter, ohne Passwort.',
      connectedAt: 'Verbunden: {time}',
      formerProvider: 'Ein früherer Anbieter',
      disconnect: 'Damit können Sie sich dann nicht mehr anmelden, und Sie werden überall außer hier abgemeldet.',
      disconnected: 'Die Verbindung wurde getrennt.',
      changes: 'Änderungen der letzten sieben Tage',
      changed: {
        email: 'Die E-Mail-Adresse wurde geändert',
        factor: 'Die Bestätigung in zwei Schritten wurde aktiviert',
        passkey: 'Ein Passkey wurde hinzugefügt',
        provider: 'Ein anderer Anbieter wurde verbunden',
        undone: 'Eine Änderung wurde rückgängig gemacht',
        'moved-by-operator': 'Die Betreiber dieses Dienstes haben die E-Mail-Adresse geändert',
      },
      undoable: 'Der Link in unserer E-Mail dazu macht das rückgängig.',
      notUndoable: 'Kein Link macht das rückgängig.',
      noPassword: 'Ihr Konto hat noch kein Passwort. Wir schicken Ihnen einen Link, mit dem Sie eines wählen.',
    },
  },
} satisfies Words
