import os
from wsgiref.simple_server import make_server

from flask import Flask, session
from flask_oidc import OpenIDConnect

ISSUER, CLIENT_ID, CLIENT_SECRET = (os.environ[name] for name in ("ISSUER", "CLIENT_ID", "CLIENT_SECRET"))
app = Flask(__name__)
app.secret_key = os.environ["SESSION_SECRET"]
app.config["OIDC_OVERWRITE_REDIRECT_URI"] = os.environ["REDIRECT"]

# Gatehouse
app.config["OIDC_CLIENT_SECRETS"] = {
    "web": {"issuer": ISSUER, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET}
}
app.config["OIDC_SCOPES"] = "openid email profile"
oidc = OpenIDConnect(app)
oidc.oauth.oidc.client_kwargs["code_challenge_method"] = "S256"
# End


@app.get("/me")
def me():
    return session["oidc_auth_profile"]


server = make_server("localhost", int(os.environ["PORT"]), app)
print(f"listening on http://localhost:{server.server_port}", flush=True)
server.serve_forever()
