import type { Words } from './words.ts'

/** Spanish: a draft made with machine help, which no native reader has been through yet. */
export const es = {
  name: 'Español',
  dir: 'ltr',
  read: null,
  address: 'usted',
  glossary: {
    password: 'contraseña',
    passkey: 'llave de acceso',
    'authenticator app': 'aplicación de autenticación',
    'recovery code': 'código de recuperación',
    'two-step verification': 'verificación en dos pasos',
    'log in': 'iniciar sesión',
  },
  mails: {
    frame: {
      hello: 'Hola:',
      helloName: 'Hola, {name}:',
      lifetime: 'El enlace es válido durante {lifetime} y funciona una sola vez.',
      until: 'El enlace es válido hasta el {until} y funciona una sola vez.',
      bareLink: 'Si el botón no funciona, copie este enlace en su navegador:',
      sender: 'Enviado por {product}.',
      senderWithSupport: 'Enviado por {product}. ¿Tiene preguntas? Escriba a {support}.',
    },
    links: {
      verification: {
        subject: 'Confirme su dirección de correo electrónico para {product}',
        preview: 'Confirme que esta dirección es suya. El enlace es válido durante {lifetime}.',
        heading: 'Confirme su dirección de correo electrónico',
        event:
          'Alguien creó una cuenta nueva de {product} con la dirección {email}. Si fue usted, confirme que esta dirección es suya.',
        button: 'Confirmar la dirección de correo electrónico',
        warning: 'Si no fue usted, ignore este correo y no abra el enlace: la dirección no quedará confirmada.',
      },
      reset: {
        subject: 'Restablezca su contraseña de {product}',
        preview: 'Alguien pidió este enlace. Es válido durante {lifetime} y funciona una sola vez.',
        heading: 'Restablezca su contraseña',
        event:
          'Alguien pidió restablecer la contraseña de la cuenta de {product} asociada a la dirección {email}. Si fue usted, elija ahora una contraseña nueva.',
        button: 'Elegir una contraseña nueva',
        warning: 'Si no fue usted, ignore este correo: no cambiará nada.',
      },
      undone: {
        subject: 'Elija una contraseña nueva para {product}',
        preview:
          'Su contraseña anterior ya no funciona. Este enlace es válido durante {lifetime} y funciona una sola vez.',
        heading: 'Elija una contraseña nueva',
        event:
          'Se deshizo un cambio de la cuenta de {product} asociada a la dirección {email}. La contraseña de la cuenta ya no funciona, porque es posible que otra persona la conozca. Elija ahora otra.',
        invitation:
          'Esta dirección tenía una invitación, que ya no es válida: usted tiene de nuevo su cuenta. Si todavía necesita aquello para lo que servía, pregunte a las personas que gestionan este servicio.',
        button: 'Elegir una contraseña nueva',
        warning:
          'Si no fue usted quien deshizo el cambio, otra persona puede leer su correo. Cambie primero la contraseña de su buzón de correo y, después, elija aquí una contraseña nueva: hasta entonces nadie puede iniciar sesión.',
      },
      moved: {
        subject: 'Elija una contraseña para su cuenta de {product}',
        preview:
          'Su cuenta está ahora asociada a esta dirección. El enlace es válido durante {lifetime} y funciona una sola vez.',
        heading: 'Elija una contraseña nueva',
        event:
          'Su cuenta de {product} fue asociada a esta dirección de correo electrónico por quienes gestionan este servicio, a petición de la persona titular de la cuenta: la dirección de la cuenta es ahora {email}. Esta cuenta no tiene contraseña: elija una; con ello confirma que esta dirección es suya.',
        button: 'Elegir una contraseña nueva',
        warning:
          'Si no lo pidió usted, ignore este correo, no abra el enlace y avise a quienes gestionan este servicio.',
      },
      'second-factor': {
        subject: 'Configure la verificación en dos pasos para {product}',
        preview: 'Configúrela con una aplicación de autenticación. El enlace es válido durante {lifetime}.',
        heading: 'Configure la verificación en dos pasos',
        event:
          'Alguien inició sesión en la cuenta de {product} asociada a la dirección {email}. Esa cuenta necesita la verificación en dos pasos. Si fue usted, configúrela con una aplicación de autenticación en su teléfono.',
        button: 'Configurar la verificación en dos pasos',
        warning:
          'Si no fue usted, otra persona conoce su contraseña: restablézcala donde usted inicia sesión y cámbiela en todos los demás sitios donde la use. Sin este enlace, esa persona no puede iniciar sesión.',
      },
      'email-change': {
        subject: 'Confirme su nueva dirección de correo electrónico para {product}',
        preview: 'Confírmela con su contraseña. El enlace es válido durante {lifetime}.',
        heading: 'Confirme su nueva dirección de correo electrónico',
        event:
          'Alguien pidió que, a partir de ahora, su propia cuenta de {product} esté asociada a la dirección {email}. Si fue usted, confírmelo con la contraseña de la cuenta.',
        button: 'Confirmar la nueva dirección',
        warning: 'Si no fue usted, ignore este correo: sin la contraseña de esa cuenta no cambiará nada.',
      },
      invitation: {
        subject: 'Tiene una invitación para {product}',
        preview: 'Elija una contraseña para su cuenta. El enlace es válido hasta el {until} y funciona una sola vez.',
        heading: 'Tiene una invitación para {product}',
        event:
          'Quienes gestionan este servicio abrieron para usted una cuenta de {product} asociada a la dirección {email}. Elija una contraseña para usarla.',
        button: 'Elegir una contraseña',
        warning: 'Si no esperaba esta invitación, ignore este correo: sin él nadie puede usar la cuenta.',
      },
    },
    logins: {
      heading: 'Otras formas de iniciar sesión en esta cuenta:',
      app: 'Una aplicación de autenticación, configurada el {day}',
      passkey: 'La llave de acceso «{label}», añadida el {day}',
      passkeysLeft: 'Llaves de acceso de la cuenta: {passkeysLeft}.',
      provider: '{provider}, como {address}, conectado el {day}',
      providerAlone: '{provider}, conectado el {day}',
      providersLeft: 'Proveedores conectados: {providersLeft}.',
    },
    notices: {
      'password-changed': {
        subject: 'Se cambió su contraseña de {product}',
        preview: 'El cambio se hizo el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Se cambió su contraseña',
        event:
          'La contraseña de la cuenta de {product} asociada a la dirección {email} se cambió el {when}. Se cerraron sus sesiones en todos los demás lugares.',
        warning:
          'Si no fue usted, otra persona conoce su contraseña o puede leer su correo. Cambie primero la contraseña de su buzón de correo. Después, donde usted inicia sesión, restablezca la contraseña de esta cuenta: así se cierra la sesión de la persona que la cambió.',
      },
      'invitation-accepted': {
        subject: 'Se aceptó su invitación para {product}',
        preview: 'Se aceptó el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Se aceptó su invitación',
        event:
          'La invitación a la cuenta de {product} asociada a la dirección {email} se aceptó el {when}: con su enlace se eligió una contraseña.',
        warning:
          'Si no fue usted, otra persona tenía el enlace o puede leer su correo. Cambie primero la contraseña de su buzón de correo. Después, donde usted inicia sesión, restablezca la contraseña de esta cuenta: así se cierra la sesión de la persona que la eligió.',
      },
      'account-deleted': {
        subject: 'Se eliminó su cuenta de {product}',
        preview: 'La cuenta se eliminó el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Se eliminó su cuenta',
        event:
          'La cuenta de {product} asociada a la dirección {email} se eliminó el {when}. Esa dirección se puede volver a registrar.',
        warning:
          'Si no fue usted, otra persona conocía la contraseña de la cuenta. Cambie esa contraseña en todos los demás sitios donde la use. Este correo no permite recuperar la cuenta.',
      },
      'email-changed': {
        subject: 'Se cambió la dirección de su cuenta de {product}',
        preview: 'El cambio se hizo el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Se cambió su dirección de correo electrónico',
        event:
          'La cuenta de {product} que tenía la dirección {email} tiene ahora la dirección {newEmail}: el cambio se hizo el {when}. Los correos de la cuenta se envían allí, y se cerraron todas sus sesiones.',
        warning:
          'Si no fue usted, otra persona tiene su contraseña y un código de su aplicación, o un código de recuperación. Solo quienes gestionan este servicio pueden ayudarle: escríbales de inmediato.',
        warningWithSetUpLink:
          'Si no fue usted, busque nuestro correo de los últimos siete días que avisa de que se activó la verificación en dos pasos: el enlace de ese correo la desactiva y devuelve a la cuenta la dirección en la que usted recibe este correo. La contraseña de la cuenta dejará entonces de funcionar, se cerrarán todas las sesiones y usted recibirá un enlace para elegir una contraseña nueva.',
        undo: {
          button: 'Deshacer el cambio',
          warning:
            'Si no fue usted, otra persona conoce su contraseña: deshaga el cambio con el enlace. La cuenta volverá entonces a tener la dirección en la que usted recibe este correo, la contraseña de la cuenta dejará de funcionar, se cerrarán todas las sesiones y usted recibirá un enlace para elegir una contraseña nueva.',
        },
      },
      'moved-by-operator': {
        subject: 'Su cuenta de {product} está ahora asociada a otra dirección de correo electrónico',
        preview: 'El cambio se hizo el {when}. Si no lo pidió usted, lea en este correo qué debe hacer.',
        heading: 'Su cuenta está ahora asociada a otra dirección de correo electrónico',
        event:
          'El {when}, quienes gestionan este servicio asociaron a otra dirección de correo electrónico la cuenta de {product} que estaba asociada a la dirección {email}. Ya no funciona ninguna forma de iniciar sesión en ella, y se cerraron todas las sesiones.',
        warning:
          'Si no fue usted quien pidió este cambio, escriba de inmediato a quienes gestionan este servicio: nadie más puede ayudarle.',
      },
      'change-undone': {
        subject: 'La dirección de su cuenta de {product} volvió a ser la anterior',
        preview: 'El cambio se hizo el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Su dirección volvió a ser la anterior',
        event:
          'La dirección de su cuenta volvió a ser la anterior el {when}: la cuenta de {product} que estaba asociada a la dirección {email} está de nuevo asociada a la dirección {newEmail}. Ya no funciona ninguna forma de iniciar sesión en ella, y se cerraron todas las sesiones.',
        warning:
          'Si no fue usted, otra persona puede leer el correo de la dirección que la cuenta vuelve a tener. Si ese buzón de correo es suyo, cambie la contraseña del buzón y, después, restablezca, donde usted inicia sesión, la contraseña de la cuenta. Si no puede entrar en ese buzón, escriba de inmediato a quienes gestionan este servicio.',
      },
      'factor-set-up': {
        subject: 'Se activó la verificación en dos pasos en su cuenta de {product}',
        preview:
          'La verificación en dos pasos se activó el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Se activó la verificación en dos pasos',
        event:
          'El {when} se activó la verificación en dos pasos en la cuenta de {product} asociada a la dirección {email}: para iniciar sesión ahora también hace falta un código de una aplicación de autenticación. Se cerraron sus sesiones en todos los demás lugares.',
        warning:
          'Si no fue usted, otra persona conoce su contraseña y puede leer su correo. Cambie la contraseña de su buzón de correo y escriba a quienes gestionan este servicio: nadie más puede desactivar la verificación en dos pasos.',
        undo: {
          button: 'Desactivar la verificación en dos pasos',
          warning:
            'Si no fue usted, otra persona conoce su contraseña: desactive la verificación en dos pasos con el enlace. La contraseña dejará entonces de funcionar, se cerrarán todas las sesiones y usted recibirá un enlace para elegir una contraseña nueva.',
        },
      },
      'factor-replaced': {
        subject: 'Se reemplazó la aplicación de autenticación de su cuenta de {product}',
        preview: 'La aplicación se reemplazó el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Se reemplazó su aplicación de autenticación',
        event:
          'La aplicación de autenticación de la cuenta de {product} asociada a la dirección {email} se reemplazó el {when}: los códigos de la aplicación anterior y los códigos de recuperación anteriores ya no funcionan. Se cerraron sus sesiones en todos los demás lugares.',
        warning:
          'Si no fue usted, otra persona tiene su contraseña y un código de su aplicación, o un código de recuperación. Solo quienes gestionan este servicio pueden ayudarle: escríbales de inmediato.',
      },
      'factor-removed': {
        subject: 'Se desactivó la verificación en dos pasos en su cuenta de {product}',
        preview:
          'La verificación en dos pasos se desactivó el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Se desactivó la verificación en dos pasos',
        event:
          'La verificación en dos pasos de la cuenta de {product} asociada a la dirección {email} se desactivó el {when}: para iniciar sesión basta ahora con la contraseña. Se cerraron sus sesiones en todos los demás lugares.',
        warning:
          'Si no fue usted, otra persona tiene su contraseña y un código de su aplicación, o un código de recuperación. Elija «¿Olvidó su contraseña?» donde usted inicia sesión: una contraseña nueva cierra la sesión de esa persona. Después, vuelva a activar la verificación en dos pasos.',
      },
      'passkey-added': {
        subject: 'Se añadió una llave de acceso a su cuenta de {product}',
        preview: 'La llave de acceso se añadió el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Se añadió una llave de acceso',
        event:
          'El {when} se añadió una llave de acceso a la cuenta de {product} asociada a la dirección {email}: permite iniciar sesión sin la contraseña.',
        warning:
          'Si no fue usted, otra persona puede iniciar sesión en su cuenta. Solo quienes gestionan este servicio pueden ayudarle: escríbales de inmediato.',
        warningWithReset:
          'Si no fue usted, otra persona puede iniciar sesión en su cuenta. Elija «¿Olvidó su contraseña?» donde usted inicia sesión, sin conservar ninguna otra forma de iniciar sesión: así se quitan todas las llaves de acceso y se cierran todas las sesiones. Si después no puede iniciar sesión, escriba de inmediato a quienes gestionan este servicio.',
        undo: {
          button: 'Quitar la llave de acceso',
          warning:
            'Si no fue usted, otra persona conoce su contraseña: quite la llave de acceso con el enlace. La contraseña dejará entonces de funcionar, se cerrarán todas las sesiones y usted recibirá un enlace para elegir una contraseña nueva.',
        },
      },
      'passkey-removed': {
        subject: 'Se quitó una llave de acceso de su cuenta de {product}',
        preview: 'La llave de acceso se quitó el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Se quitó una llave de acceso',
        event:
          'Una llave de acceso de la cuenta de {product} asociada a la dirección {email} se quitó el {when}. Se cerraron sus sesiones en todos los demás lugares.',
        warning:
          'Si no fue usted, otra persona puede iniciar sesión en su cuenta. Elija «¿Olvidó su contraseña?» donde usted inicia sesión: una contraseña nueva cierra la sesión de esa persona.',
      },
      'provider-connected': {
        subject: 'Se conectó otra forma de iniciar sesión en su cuenta de {product}',
        preview: 'Se conectó el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Se conectó otra forma de iniciar sesión',
        event:
          'El {when} se conectó un inicio de sesión de {provider} a la cuenta de {product} asociada a la dirección {email}: permite iniciar sesión sin la contraseña.',
        warning:
          'Si no fue usted, otra persona puede iniciar sesión en su cuenta. Elija «¿Olvidó su contraseña?» donde usted inicia sesión: una contraseña nueva lo desconecta y cierra la sesión de esa persona.',
        undo: {
          button: 'Desconectar este inicio de sesión',
          warning:
            'Si no fue usted, otra persona puede iniciar sesión en su cuenta: desconéctelo con el enlace. La contraseña dejará entonces de funcionar, se cerrarán todas las sesiones y usted recibirá un enlace para elegir una contraseña nueva.',
        },
      },
      'provider-disconnected': {
        subject: 'Se desconectó una forma de iniciar sesión en su cuenta de {product}',
        preview: 'Se desconectó el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Se desconectó una forma de iniciar sesión',
        event:
          'El {when} se desconectó el inicio de sesión de {provider} de la cuenta de {product} asociada a la dirección {email}. Se cerraron sus sesiones en todos los demás lugares.',
        warning:
          'Si no fue usted, otra persona puede iniciar sesión en su cuenta. Elija «¿Olvidó su contraseña?» donde usted inicia sesión: una contraseña nueva cierra la sesión de esa persona.',
      },
      'recovery-code-used': {
        subject: 'Se usó un código de recuperación de su cuenta de {product}',
        preview: 'El código se usó el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Se usó un código de recuperación',
        event:
          'El {when} se usó, en la cuenta de {product} asociada a la dirección {email}, un código de recuperación en lugar de un código de la aplicación. Códigos de recuperación que quedan: {codesLeft}.',
        warning:
          'Si no fue usted, otra persona tiene su contraseña y sus códigos de recuperación. Elija «¿Olvidó su contraseña?» donde usted inicia sesión: una contraseña nueva cierra la sesión de esa persona. Después, cree códigos de recuperación nuevos.',
      },
      'password-known': {
        subject: 'Es posible que alguien conozca su contraseña de {product}',
        preview:
          'Con esa contraseña se escribieron códigos incorrectos el {when}. Si no fue usted, lea en este correo qué debe hacer.',
        heading: 'Es posible que alguien conozca su contraseña',
        event:
          'En la cuenta de {product} asociada a la dirección {email} se escribió varias veces la contraseña correcta junto con códigos incorrectos, la última vez el {when}. La verificación en dos pasos impidió el acceso.',
        warning:
          'Si no fue usted, otra persona conoce su contraseña. Restablézcala donde usted inicia sesión y cámbiela en todos los demás sitios donde la use.',
      },
      'session-reused': {
        subject: 'Se cerró su sesión de {product} en un dispositivo',
        preview: 'La sesión se cerró el {when}, por su seguridad. Lea en este correo qué debe hacer.',
        heading: 'Se cerró su sesión en un dispositivo',
        event:
          'Una sesión de la cuenta de {product} asociada a la dirección {email} se cerró el {when}, porque se usaba en dos lugares, cuando cada uno debe tener la suya: es posible que alguien haya copiado lo que mantenía su sesión iniciada en el dispositivo donde se cerró. Puede volver a iniciar sesión.',
        warning:
          'Si no era usted quien usaba esa sesión en ambos lugares, otra persona tenía la sesión iniciada en la cuenta de usted: cambie su contraseña, con lo que se cierran todas las demás sesiones, y busque, en el dispositivo donde se cerró su sesión, programas que no conozca.',
      },
    },
  },
  pages: {
    frame: {
      language: 'Idioma',
      continue: 'Continuar a {product}',
      continueTo: 'Continuar a {name}',
      support: '¿Tiene preguntas? Escriba a [{supportEmail}].',
      terms: 'Condiciones de uso',
      privacy: 'Política de privacidad',
    },
    home: {
      account: 'Iniciar sesión o crear una cuenta',
      developers: 'Para desarrollar aplicaciones: [Referencia], [Módulos de consulta], [OpenAPI]',
    },
    notFound: {
      nothing: 'No hay nada en esta dirección',
      check: 'Compruebe que esté bien escrita. Si llegó aquí por un enlace, es posible que el enlace esté incompleto.',
      forPrograms: 'Esta dirección es para programas',
      calledBy: 'Un navegador no puede abrirla. Los programas la llaman con {methods}.',
      near: '¿Buscaba esto?',
      nearCall: '{path} (los programas la llaman con {methods})',
      either: '{methods} o {method}',
      purpose: 'Ir a la página de inicio',
    },
    link: {
      needsScript: 'Esta página necesita JavaScript. Actívelo y abra de nuevo el enlace del correo.',
      void: 'Este enlace ya no funciona',
      newLink: 'Si no, pida un enlace nuevo.',
      cutOff: 'Si llegó aquí desde un correo, el enlace estaba incompleto: abra el enlace entero.',
      wasCutOff: 'Este enlace está incompleto',
      openWhole: 'Abra de nuevo el enlace entero que está en el correo.',
      send: 'Enviar un enlace nuevo',
      sendAgain: 'Enviarlo de nuevo',
      lifetime:
        'El enlace es válido durante {lifetime}. Si no le llega ningún correo, revise la carpeta de correo no deseado y la dirección.',
      resent: 'Enviado de nuevo. Solo funciona el enlace del correo más reciente.',
      logInNow: 'Ya puede iniciar sesión.',
      logInWith: 'Ya puede iniciar sesión con ella.',
      logInAgain: 'Tiene que volver a iniciar sesión en todos los lugares donde la tenía iniciada.',
    },
    verifyEmail: {
      heading: 'Confirmar su dirección de correo electrónico',
      ask: 'Si creó una cuenta de {product}, confirme que esta dirección es suya. Si no la creó, cierre esta página.',
      submit: 'Confirmar la dirección de correo electrónico',
      done: 'Su dirección está confirmada',
      otherTab: 'Si una página de inicio de sesión de este navegador espera esta confirmación, continúa por sí sola.',
      void: 'Un enlace es válido durante {lifetime}, funciona una sola vez, y solo hasta que se envía otro más reciente. Si ya confirmó su dirección, puede iniciar sesión con ella.',
      get: 'Obtener un enlace de confirmación',
      where: 'Lo enviamos a la dirección de su cuenta.',
      sent: 'Si {email} es la dirección de una cuenta que todavía no está confirmada, un correo con un enlace está en camino.',
    },
    resetPassword: {
      heading: 'Elegir una contraseña nueva',
      first: 'Elegir una contraseña',
      submit: 'Guardar la contraseña nueva',
      keepLogins: 'Sí, conservarlas',
      removeLogins: 'No, o no lo sé: quitarlas todas',
      done: 'Se cambió su contraseña',
      notYourApp: 'Si la aplicación de autenticación no es suya, abra el enlace de nuestro correo sobre ella.',
      onceVerified:
        'Puede iniciar sesión con ella en cuanto su dirección de correo electrónico esté confirmada. Si todavía no lo está, [obtenga un enlace de confirmación].',
      void: 'Un enlace es válido durante {lifetime}, funciona una sola vez, y solo hasta que se envía otro más reciente. Si ya eligió una contraseña nueva, puede iniciar sesión con ella.',
      where: 'Enviamos un enlace a la dirección de su cuenta.',
    },
    resetLogins: {
      heading: 'Otras formas de iniciar sesión en esta cuenta:',
      ask: '¿Son todas suyas?',
      unlisted: 'El correo nombra otras formas de iniciar sesión. ¿Son todas suyas?',
      app: 'Una aplicación de autenticación, configurada el {day}',
      passkey: 'La llave de acceso «{label}», añadida el {day}',
      provider: '{label}, conectado el {day}',
    },
    invitation: {
      heading: 'Aceptar su invitación',
      submit: 'Crear la cuenta',
      done: 'Su cuenta está lista',
      void: 'Este enlace ya se usó o caducó, o se envió otro más reciente. Si ya eligió una contraseña, inicie sesión. Si su invitación sigue siendo válida, le enviamos un enlace nuevo.',
      get: 'Obtener un enlace nuevo',
      where: 'Lo enviamos a la dirección que fue invitada.',
    },
    changeEmail: {
      heading: 'Confirmar su nueva dirección de correo electrónico',
      ask: 'Si pidió usar esta dirección para su cuenta de {product}, escriba la contraseña de esa cuenta. Si no lo pidió, cierre esta página.',
      submit: 'Confirmar la nueva dirección',
      done: 'Se cambió su dirección de correo electrónico',
      doneAbout:
        'Ya puede iniciar sesión con ella. Tiene que volver a iniciar sesión en todos los lugares donde la tenía iniciada.',
      void: 'Un enlace es válido durante {lifetime}, funciona una sola vez, y solo hasta que se envía otro más reciente. Si ya confirmó la nueva dirección, puede iniciar sesión con ella.',
      stillOld:
        'Si todavía no lo hizo, su dirección sigue siendo la anterior: inicie sesión con esa y vuelva a cambiarla.',
      cutOff: 'Abra de nuevo el enlace entero que está en el correo. Para cambiar su dirección, primero inicie sesión.',
    },
    undo: {
      heading: 'Deshacer el cambio',
      ask: '¿Deshacer el cambio?',
      what: 'Se deshará el cambio que describe el correo, y todos los del mismo tipo hechos desde entonces.',
      password:
        'La contraseña de la cuenta dejará de funcionar, se cerrarán todas las sesiones y le enviaremos por correo un enlace para elegir una contraseña nueva.',
      ifYou: 'Si fue usted quien hizo el cambio, cierre esta página.',
      done: 'Se deshizo el cambio',
      mail: 'Un correo con un enlace está en camino: elija con él una contraseña nueva.',
      noMail: 'Si no le llega ningún correo, revise la carpeta de correo no deseado o [pida otro enlace].',
      void: 'Un enlace es válido durante {lifetime}, funciona una sola vez, y solo hasta que se deshace un cambio anterior. Si ya deshizo el cambio, elija una contraseña nueva con el enlace que le enviamos por correo, o [pida otro].',
      otherAccount:
        'Tampoco funciona si la cuenta se eliminó, o si otra cuenta ya tiene su dirección. Si esa otra cuenta es suya, porque desde entonces volvió a registrarse, elimínela y, después, abra de nuevo el enlace del correo.',
    },
    secondFactor: {
      heading: 'Configurar la verificación en dos pasos',
      ask: 'Para iniciar sesión en {product} hace falta, además de su contraseña, un código de una aplicación de autenticación. Instale una en su teléfono y, después, inicie sesión aquí.',
      mailed:
        'Le enviamos por correo un enlace que lleva a esta página. Ábralo para continuar: es válido durante {lifetime} y funciona una sola vez.',
      usedLink:
        'Si llegó aquí desde un correo, el enlace ya se usó o caducó. Si no le llega ningún correo, revise la carpeta de correo no deseado.',
      add: 'Añadir la cuenta a su aplicación',
      code: 'Código que muestra la aplicación',
      done: 'La verificación en dos pasos está activada. Si pierde el teléfono, cada uno de estos códigos le permite entrar una vez. Imprímalos o anótelos ahora: nadie puede volver a mostrarlos.',
      logInWithCode:
        'Ya puede iniciar sesión, con un código de la aplicación. Tiene que volver a iniciar sesión en todos los lugares donde la tenía iniciada.',
      notNeeded: 'Puede iniciar sesión',
      notNeededAbout: 'Su cuenta ya tiene la verificación en dos pasos, o no la necesita.',
    },
    forms: {
      refusals: {
        'password-too-short': 'Esta contraseña es demasiado corta.',
        'password-too-common':
          'Elija otra contraseña. Esta es demasiado fácil de adivinar: es una contraseña común, su dirección de correo electrónico (o la parte que va antes de la @) o el nombre {product}.',
        'former-password':
          'Elija una contraseña distinta de la que tenía antes: es posible que otra persona la conozca.',
        'email-taken': 'Ya hay una cuenta con esta dirección. Inicie sesión en ella o use otra dirección.',
        'bad-credentials': 'La dirección de correo electrónico o la contraseña es incorrecta.',
        'wrong-password': 'Esta no es la contraseña de la cuenta. Inténtelo de nuevo.',
        'email-not-verified':
          'Confirme primero su dirección de correo electrónico: abra el enlace del correo que le enviamos.',
        'account-locked': 'Esta cuenta está bloqueada.',
        'wrong-code':
          'Este código es incorrecto. Escriba el que la aplicación muestra ahora. Si sigue sin funcionar, compruebe que la hora de su teléfono sea correcta.',
        'used-code': 'Este código ya se usó. Espere al siguiente.',
        'codes-disabled':
          'Los códigos de la aplicación ya no funcionan, porque hubo demasiados incorrectos. Escriba un código de recuperación o restablezca su contraseña.',
        'wrong-passkey':
          'Esta llave de acceso no funciona aquí. Es posible que se haya quitado. Inicie sesión con su contraseña.',
        'invalid-passkey-challenge': 'Pasó demasiado tiempo. Inténtelo de nuevo.',
        'no-passkey': 'Esta llave de acceso ya no existe.',
        'too-many-passkeys': 'Ya tiene diez llaves de acceso. Quite una primero.',
        'passkey-required': 'Inicie sesión con una llave de acceso: la contraseña sola no basta para esta cuenta.',
        'passkeys-off': 'Aquí no hay llaves de acceso.',
        'no-second-factor-setup': 'Pasó demasiado tiempo. Cancele y empiece de nuevo.',
        'second-factor-off': 'Aquí no hay verificación en dos pasos.',
        'second-factor-setup':
          'Necesita la verificación en dos pasos para iniciar sesión. Le enviamos un enlace por correo: ábralo para configurarla.',
        'second-factor-required-here':
          'Aquí la verificación en dos pasos es obligatoria. Puede pasarla a un teléfono nuevo, pero no desactivarla.',
        'sign-up-closed':
          'Aquí las cuentas se abren por invitación. Si tiene una invitación, abra el enlace del correo.',
        'email-domain-not-allowed': 'Las direcciones de este dominio no se pueden usar aquí. Pruebe con otra.',
        'provider-not-found': 'Este proveedor ya no está disponible aquí. Inicie sesión de otra forma.',
        'provider-unavailable': '{name} no responde. Inténtelo de nuevo o inicie sesión de otra forma.',
        'provider-refused': '{name} no confirmó este inicio de sesión. Empiece de nuevo.',
        'invalid-provider-token': 'Este inicio de sesión tardó demasiado. Empiece de nuevo.',
        'provider-not-allowed': 'Esta cuenta de {name} no se puede usar aquí.',
        'provider-email-unverified':
          '{name} no confirma su dirección de correo electrónico. Cree una cuenta con una contraseña y después conéctelo.',
        'password-required':
          'Ya hay una cuenta para esta dirección. Escriba una vez su contraseña para conectar {name}.',
        'provider-taken': 'Esta cuenta de {name} está conectada a otra cuenta aquí.',
        'provider-limit': 'Ya hay cinco proveedores conectados. Desconecte uno antes.',
        'no-password': 'Esta cuenta todavía no tiene contraseña. Elija una con un enlace que le enviamos por correo.',
        administrator:
          'Esta es una cuenta de administración: aquí no se puede eliminar, ni se puede cambiar su dirección.',
        'too-many-requests': 'Hubo demasiados intentos desde su red. Inténtelo de nuevo {wait}.',
        unavailable: 'El servicio no funciona en este momento. Inténtelo de nuevo {wait}.',
        internal: 'Algo salió mal ({status}). Inténtelo de nuevo {wait}.',
      },
      soon: {
        'too-many-requests': 'Hubo demasiados intentos desde su red. Inténtelo de nuevo dentro de un momento.',
        unavailable: 'El servicio no funciona en este momento. Inténtelo de nuevo dentro de un momento.',
        internal: 'Algo salió mal ({status}). Inténtelo de nuevo dentro de un momento.',
      },
      breached:
        'Elija otra contraseña. Esta apareció en una filtración de datos, y los ladrones prueban primero esas contraseñas.',
      unreachable: 'No se puede contactar con el servicio. Compruebe su conexión e inténtelo de nuevo.',
      fields: {
        email: {
          empty: 'Escriba su dirección de correo electrónico.',
          invalid: 'Escriba una dirección de correo electrónico, como {example}.',
        },
        password: {
          empty: 'Escriba su contraseña.',
          invalid: 'Esta contraseña no es válida. Use como máximo 256 caracteres.',
        },
        your_email: {
          empty: 'Escriba su dirección de correo electrónico.',
          invalid: 'Esta no es la dirección de su cuenta.',
        },
        code: { empty: 'Escriba un código.', invalid: 'Este código no es válido.' },
        current_password: {
          empty: 'Escriba su contraseña actual.',
          invalid: 'Esta no es su contraseña actual.',
        },
        new_email: {
          empty: 'Escriba la nueva dirección de correo electrónico.',
          invalid: 'Escriba una dirección de correo electrónico, como {example}.',
        },
        new_password: {
          empty: 'Escriba una contraseña nueva.',
          invalid: 'Esta contraseña no es válida. Use como máximo 256 caracteres.',
        },
        name: {
          empty: 'Escriba un nombre.',
          invalid: 'Este nombre no es válido. Use como máximo 200 caracteres, ninguno invisible, y no solo espacios.',
        },
        label: {
          empty: 'Escriba un nombre.',
          invalid: 'Este nombre no es válido. Use como máximo 60 caracteres, ninguno invisible, y no solo espacios.',
        },
        keep_other_logins: { empty: 'Elija una opción.', invalid: 'Elija una opción.' },
      },
      moment: 'Un momento…',
      device: 'Esperando a su dispositivo…',
      browserOn: '{browser} en {system}',
      showPassword: 'Mostrar la contraseña',
      factor: {
        heading: 'Escriba su código',
        code: 'Código',
        hint: 'Seis cifras de su aplicación de autenticación.',
        recoveryCode: 'Código de recuperación',
        hintRecovery: 'Uno de los códigos que guardó al activar la verificación en dos pasos.',
        useRecovery: 'Usar un código de recuperación',
        useApp: 'Usar un código de la aplicación',
        wrongRecovery: 'Este código de recuperación es incorrecto o ya se usó.',
        back: 'Volver',
      },
      resent: 'Enviado de nuevo.',
      noPasskeyUsed: 'No se usó ninguna llave de acceso. Inténtelo de nuevo o inicie sesión con su contraseña.',
      noPasskeyAdded: 'No se añadió ninguna llave de acceso. Inténtelo de nuevo.',
      hasPasskey: 'Este dispositivo ya tiene una llave de acceso para su cuenta.',
    },
    setup: {
      scan: 'Escanee este código con la aplicación de autenticación de su teléfono.',
      qrCode: 'Código QR de la clave',
      orType: 'También puede copiar esta clave en la aplicación o escribirla allí:',
      typeCode: 'Escriba los seis dígitos que la aplicación muestre entonces.',
      copyKey: 'Copiar la clave',
      openApp: 'Abrir una aplicación en este dispositivo',
      tookTooLong: 'Pasó demasiado tiempo. Inicie sesión de nuevo y le enviaremos otro enlace por correo.',
      copyCodes: 'Copiar los códigos',
      saveCodes: 'Descargar los códigos',
      codesFile: 'Códigos de recuperación de {product}',
      copied: 'Copiado.',
    },
    providers: {
      or: 'o',
      continueWith: 'Continuar con {name}',
      notLoggedIn: 'Se canceló el inicio de sesión con {name}. Inténtelo de nuevo o inicie sesión de otra forma.',
      providerProblem: '{name} informa de un problema. Inténtelo de nuevo o inicie sesión de otra forma.',
    },
    signIn: {
      title: 'Iniciar sesión',
      heading: 'No inició sesión',
      stray: 'Este inicio de sesión no se empezó en esta pestaña, o ya se usó. Empiece de nuevo.',
    },
    account: {
      title: 'Su cuenta',
      needsScript: 'Esta página necesita JavaScript. Actívelo.',
    },
    authorize: {
      title: 'Iniciar sesión',
      heading: 'Iniciar sesión en {name}',
      stay: 'Mantener la sesión iniciada en este navegador',
      hintStay:
        'Otras aplicaciones podrán entonces iniciar su sesión aquí sin preguntar. No lo marque si otras personas usan este navegador.',
      continueAs: '¿Continuar como {email}?',
      done: 'Inició sesión',
      noClient: 'Esta aplicación no existe',
      noRedirect: 'La aplicación no puede enviar a nadie de vuelta a esta dirección',
      tellThem:
        'Desde aquí no puede iniciar sesión. Dígaselo, por favor, a quienes gestionan la aplicación que le trajo aquí.',
    },
    logout: {
      ask: '¿Cerrar la sesión en este navegador?',
      about: 'Su sesión sigue iniciada en las aplicaciones hasta que la cierre en cada una.',
      done: 'Cerró la sesión en este navegador',
      noWayOn: 'La aplicación ha pedido continuar en una dirección que no puede usar.',
    },
    headings: {
      logIn: 'Iniciar sesión',
      register: 'Crear una cuenta',
      forgot: 'Restablecer su contraseña',
      sent: 'Revise su bandeja de entrada',
      profile: 'Perfil',
      security: 'Seguridad',
      sessions: 'Sesiones',
    },
    controls: {
      email: 'Dirección de correo electrónico',
      password: 'Contraseña',
      name: 'Nombre',
      nameOptional: 'Nombre (opcional)',
      currentPassword: 'Contraseña actual',
      newPassword: 'Contraseña nueva',
      showCurrentPassword: 'Mostrar la contraseña actual',
      stay: 'Mantener la sesión iniciada en esta pestaña',
      logIn: 'Iniciar sesión',
      logOut: 'Cerrar sesión',
      forgot: '¿Olvidó su contraseña?',
      register: 'Crear una cuenta',
      sendLink: 'Enviar un enlace',
      sendAgain: 'Enviar el correo de nuevo',
      goOn: 'Continuar',
      otherAddress: 'Usar otra dirección',
      tryAgain: 'Intentar de nuevo',
      changeName: 'Cambiar el nombre',
      saveName: 'Guardar el nombre',
      newEmail: 'Nueva dirección de correo electrónico',
      changeAddress: 'Cambiar la dirección',
      changePassword: 'Cambiar la contraseña',
      another: 'Usar otra cuenta',
      turnOn: 'Activar',
      newPhone: 'Pasar a un teléfono nuevo',
      confirm: 'Confirmar',
      cancel: 'Cancelar',
      newCodes: 'Crear códigos de recuperación nuevos',
      keptCodes: 'Ya los guardé',
      turnOff: 'Desactivar',
      logOutEverywhere: 'Cerrar sesión en todas partes',
      deleteAccount: 'Eliminar la cuenta',
      yourEmail: 'Su dirección de correo electrónico',
      end: 'Cerrar',
      endOthers: 'Cerrar sesión en todos los demás dispositivos',
      changeLanguage: 'Cambiar el idioma',
      mailLanguage: 'Idioma de nuestros correos',
      saveLanguage: 'Guardar el idioma',
      logInWithPasskey: 'Iniciar sesión con una llave de acceso',
      usePasskey: 'Usar una llave de acceso',
      addPasskey: 'Añadir una llave de acceso',
      passkeyName: 'Nombre de la llave de acceso',
      rename: 'Renombrar',
      remove: 'Quitar',
      connect: 'Conectar {name}',
      disconnect: 'Desconectar {name}',
      connectAndLogIn: 'Conectar e iniciar sesión',
      noPassword: '¿Sin contraseña, o la olvidó? Enviar un enlace',
      anotherWay: 'Iniciar sesión de otra forma',
      choosePassword: 'Elegir una contraseña',
    },
    texts: {
      thenComeBack: 'Abra el enlace, en cualquier dispositivo. Después vuelva aquí y elija «Continuar».',
      needsFactor:
        'Primero necesita la verificación en dos pasos. Un correo con un enlace está en camino a {email}: ábralo para configurarla.',
      unverified:
        'Confirme primero su dirección de correo electrónico. Un correo con un enlace está en camino a {email}.',
      terms: 'Al crear una cuenta, acepta las [condiciones de uso].',
      privacy: 'La [política de privacidad] explica qué ocurre con sus datos.',
      navigation: 'Cuenta',
      sending: 'Todavía se está enviando un formulario. Inténtelo de nuevo en un momento.',
      newHere: '¿Todavía no tiene cuenta? [Crear una cuenta]',
      notNew: '¿Ya tiene una cuenta? [Iniciar sesión]',
      hintStay: 'Sin esto, al recargar la página se cierra su sesión.',
      hintPassword: 'Al menos 8 caracteres. Cuanto más larga, mejor; también puede llevar espacios.',
      hintName: 'Con él le saludamos en nuestros correos.',
      reloaded: 'Al recargar la página se cerró su sesión. Para evitarlo, mantenga la sesión iniciada en esta pestaña.',
      copied: 'Otra pestaña usa este inicio de sesión, y cada pestaña necesita el suyo. Inicie sesión también aquí.',
      ended: 'Su sesión está cerrada, porque expiró o se cerró. Inicie sesión para continuar donde estaba.',
      loggedOut: 'Su sesión está cerrada.',
      loggedOutHere:
        'Su sesión está cerrada en esta pestaña, pero no se pudo avisar al servicio. Vuelva a iniciar sesión y cierre la sesión anterior, o espere a que expire.',
      loggedOutEverywhere: 'Su sesión está cerrada en todas partes.',
      deleted: 'Se eliminó su cuenta.',
      registered: 'Su cuenta está creada. Un correo con un enlace está en camino a {email}.',
      thenGoOn:
        'Abra el enlace para confirmar su dirección. Si lo abre en este navegador, esta página continúa por sí sola.',
      thenLogIn: 'Abra el enlace para confirmar su dirección. Después podrá iniciar sesión.',
      logInNow: 'Abra el enlace para confirmar su dirección. Puede iniciar sesión incluso antes.',
      linkSent: 'Si {email} es la dirección de una cuenta, un correo con un enlace está en camino.',
      noMail: 'Si no le llega ningún correo, revise la carpeta de correo no deseado y la dirección.',
      newsSent: 'Un correo con un enlace nuevo está en camino. Solo funciona el enlace del correo más reciente.',
      noName: 'Todavía ninguno',
      nameSaved: 'Se guardó su nombre.',
      nameRemoved: 'Se borró su nombre.',
      since: 'Su cuenta se creó el {day}.',
      verified: 'Confirmada',
      notVerified: 'Todavía sin confirmar',
      verify:
        'Confirme su dirección de correo electrónico {email}. Las llaves de acceso y la verificación en dos pasos vienen después.',
      changeAddress:
        'Enviamos un enlace a la nueva dirección. Su dirección cambia cuando usted lo abre allí y escribe su contraseña. Durante siete días, la dirección anterior permite recuperar la cuenta: con el enlace de nuestro correo sobre este cambio (salvo que usted tenga una aplicación de autenticación), o sobre una aplicación configurada en esos días. Si otra persona lee el buzón anterior, configure primero una aplicación. Después, restablezca su contraseña por correo, responda que todas las formas de iniciar sesión que nombra son suyas y, por último, cambie la dirección.',
      addressAsked: 'Si se puede usar {email}, un correo con un enlace está en camino a esa dirección.',
      linkVoid: 'El enlace que enviamos antes a {email} ya no funciona.',
      password: 'Contraseña',
      changePassword: 'Al cambiarla, se cierra su sesión en todas partes menos aquí.',
      passwordChanged: 'Se cambió su contraseña.',
      lastChanged: 'Último cambio: {time}',
      secondFactor: 'Verificación en dos pasos',
      on: 'Activada',
      off: 'Desactivada',
      factorRemoved: 'La verificación en dos pasos está desactivada.',
      noFactor: 'Iniciar sesión requiere entonces también un código de una aplicación.',
      hasFactor: 'Para iniciar sesión hace falta un código de su aplicación de autenticación.',
      app: 'Aplicación de autenticación',
      aboutApp: 'Genera los códigos con los que inicia sesión.',
      replaceApp:
        'Si tiene un teléfono nuevo, configure la aplicación en él. Entonces dejan de funcionar la anterior y también sus códigos de recuperación.',
      recoveryCodes: 'Códigos de recuperación',
      codesLeft: 'Códigos de recuperación que quedan: {left}.',
      keepCodes: 'Guarde sus códigos de recuperación',
      aboutCodes:
        'Si pierde el teléfono, cada uno de estos códigos le permite entrar una vez. Anótelos o imprímalos ahora: nadie puede volver a mostrarlos.',
      logOutEverywhere: 'Cierra su sesión en todos los dispositivos, también en este.',
      deleteAccount: 'Elimina su cuenta para siempre. Usted no podrá recuperarla.',
      sessions:
        'Aquí puede ver dónde tiene sesiones iniciadas. Si no reconoce alguna, ciérrela y cambie su contraseña.',
      noSessions: 'No tiene ninguna sesión.',
      noOwnSession:
        'Esta pestaña tiene la sesión iniciada hasta que usted la recargue o la cierre, y no aparece en esta lista.',
      thisTab: 'esta pestaña',
      unnamed: 'Dispositivo sin nombre',
      inBrowser: 'Mantiene la sesión iniciada en un navegador',
      justNow: 'ahora mismo',
      lastUsed: 'Último uso: {time}',
      loggedInAt: 'Inicio de sesión: {time}',
      endInBrowser: 'También cierra las sesiones de aplicaciones que se iniciaron con ella.',
      sessionEnded: 'Se cerró la sesión.',
      endOthers: 'Cierra todas las sesiones, salvo la de esta pestaña.',
      othersEnded: 'Su sesión está cerrada en todos los demás dispositivos.',
      application: 'aplicación',
      languageSaved: 'Nuestros correos le llegan ahora en este idioma.',
      warningsLater: 'Durante siete días, los avisos sobre su cuenta todavía le llegan en el idioma anterior.',
      noLanguage: 'Todavía sin elegir',
      passkeys: 'Llaves de acceso',
      aboutPasskeys: 'Inicie sesión con la huella, el rostro o el PIN de su dispositivo.',
      besidePassword: 'Su contraseña sigue funcionando. Para protegerla, active la verificación en dos pasos.',
      noWebAuthn: 'Este navegador no puede usar llaves de acceso.',
      otherDomain: 'Las llaves de acceso funcionan en {domain}, pero no en esta dirección.',
      useLocalhost: 'Las llaves de acceso no funcionan en esta dirección: use [localhost].',
      passkeysOff: 'Las llaves de acceso están desactivadas aquí.',
      synced: 'sincronizada',
      onThisDevice: 'solo en este dispositivo',
      addedAt: 'Añadida: {time}',
      neverUsed: 'Todavía sin usar',
      passkeyAdded: 'Se añadió la llave de acceso.',
      passkeyRenamed: 'La llave de acceso tiene su nuevo nombre.',
      removePasskey: 'Ya no podrá iniciar sesión con ella, y se cerrará su sesión en todas partes menos aquí.',
      passkeyRemoved: 'Se quitó la llave de acceso.',
      addressThere: 'Sesión iniciada con {name} como {email}',
      addressHere: 'La cuenta de aquí: {email}',
      aboutConnecting:
        'Quien pueda iniciar sesión en esta cuenta de {name} podrá iniciar sesión aquí. Si ambas son suyas, escriba la contraseña de esta cuenta.',
      notChosen: 'Si no la eligió usted, elija una nueva por correo: eso cierra la sesión de quien la eligió.',
      waysToLogIn: 'Formas de iniciar sesión',
      aboutProviders: 'Inicie sesión con otro proveedor, sin contraseña.',
      connectedAt: 'Conectado: {time}',
      formerProvider: 'Un proveedor anterior',
      disconnect: 'Ya no podrá iniciar sesión con él, y se cerrará su sesión en todas partes menos aquí.',
      disconnected: 'El inicio de sesión se desconectó.',
      changes: 'Cambios de los últimos siete días',
      changed: {
        email: 'Se cambió la dirección de correo electrónico',
        factor: 'Se activó la verificación en dos pasos',
        passkey: 'Se añadió una llave de acceso',
        provider: 'Se conectó otro proveedor',
        undone: 'Se deshizo un cambio',
        'moved-by-operator': 'Quienes gestionan este servicio cambiaron la dirección de correo electrónico',
      },
      undoable: 'El enlace de nuestro correo sobre esto lo deshace.',
      notUndoable: 'Ningún enlace lo deshace.',
      noPassword: 'Su cuenta todavía no tiene contraseña. Le enviamos un enlace para elegir una.',
    },
  },
} satisfies Words
