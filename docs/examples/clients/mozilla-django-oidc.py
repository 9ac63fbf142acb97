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
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "mozilla_django_oidc",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
AUTHENTICATION_BACKENDS = [f"{__name__}.Backend"]
LOGIN_REDIRECT_URL = "/me"

# Gatehouse
OIDC_RP_CLIENT_ID = CLIENT_ID
OIDC_RP_CLIENT_SECRET = CLIENT_SECRET
OIDC_RP_SCOPES = "openid email profile"
OIDC_RP_SIGN_ALGO = "RS256"
OIDC_USE_PKCE = True
OIDC_OP_AUTHORIZATION_ENDPOINT = ISSUER.removesuffix("/auth") + "/authorize"
OIDC_OP_TOKEN_ENDPOINT = ISSUER + "/token"
OIDC_OP_USER_ENDPOINT = ISSUER + "/userinfo"
OIDC_OP_JWKS_ENDPOINT = ISSUER + "/.well-known/jwks.json"
# End

settings.configure(**{name: value for name, value in globals().items() if name.isupper()})
django.setup()

from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.http import JsonResponse
from django.urls import include, path
from mozilla_django_oidc.auth import OIDCAuthenticationBackend


# Gatehouse
class Backend(OIDCAuthenticationBackend):
    def get_username(self, claims):
        return claims["sub"]

    def filter_users_by_claims(self, claims):
        return self.UserModel.objects.filter(username=claims["sub"])
# End


def me(request):
    return JsonResponse({"sub": request.user.get_username(), "name": request.user.get_full_name(), "email": request.user.email})


urlpatterns = [path("oidc/", include("mozilla_django_oidc.urls")), path("me", me)]
call_command("migrate", verbosity=0)
server = make_server("localhost", int(os.environ["PORT"]), get_wsgi_application())
print(f"listening on http://localhost:{server.server_port}", flush=True)
server.serve_forever()
