import os
from wsgiref.simple_server import make_server

import django
from django.conf import settings

ISSUER, CLIENT_ID, CLIENT_SECRET = (os.environ[name] for name in ("ISSUER", "CLIENT_ID", "CLIENT_SECRET"))
SECRET_KEY = os.environ["SESSION_SECRET"]
ALLOWED_HOSTS = ["localhost"]
USE_X_FORWARDED_HOST = True
ROOT_URLCONF = __name__
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["DATABASE"]}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
ACCOUNT_EMAIL_VERIFICATION = "none"
SOCIALACCOUNT_LOGIN_ON_GET = True
LOGIN_REDIRECT_URL = "/me"

# Gatehouse
# pip install 'django-allauth[socialaccount]'; INSTALLED_APPS has "allauth.socialaccount.providers.openid_connect", too.
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "gatehouse",
                "name": "Gatehouse",
                "client_id": CLIENT_ID,
                "secret": CLIENT_SECRET,
                "settings": {"server_url": ISSUER},
            }
        ],
    }
}
# End

settings.configure(**{name: value for name, value in globals().items() if name.isupper()})
django.setup()

from allauth.socialaccount.models import SocialAccount
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.http import JsonResponse
from django.urls import include, path


def me(request):
    (social,) = SocialAccount.objects.filter(user=request.user)
    return JsonResponse({"sub": social.uid, "name": request.user.get_username(), "email": request.user.email})


urlpatterns = [path("accounts/", include("allauth.urls")), path("me", me)]
call_command("migrate", verbosity=0)
server = make_server("localhost", int(os.environ["PORT"]), get_wsgi_application())
print(f"listening on http://localhost:{server.server_port}", flush=True)
server.serve_forever()
