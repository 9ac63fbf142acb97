# Authlib 1.9 with Flask: pip install authlib flask requests; flask --app sign_in run --port 8000
import os

from authlib.integrations.flask_client import OAuth
from flask import Flask

app = Flask(__name__)
app.secret_key = os.environ["SESSION_SECRET"]
provider = OAuth(app).register(
    "gatehouse",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration",
    client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256"},
)


@app.get("/login")
def log_in():
    return provider.authorize_redirect(os.environ["REDIRECT"])


@app.get("/callback")
def callback():
    return provider.authorize_access_token()["userinfo"]
