// go-oidc 3, public without CLIENT_SECRET: go mod init sign-in; go mod tidy; PORT=8000 go run .
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"), // Empty for a public client.
		Endpoint:     provider.Endpoint(),
		RedirectURL:  os.Getenv("REDIRECT"),
		Scopes:       []string{oidc.ScopeOpenID, "email", "profile"},
	}
	idTokens := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("GET /login", func(w http.ResponseWriter, r *http.Request) {
		state, nonce, verifier := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
		for name, value := range map[string]string{"state": state, "nonce": nonce, "verifier": verifier} {
			http.SetCookie(w, &http.Cookie{
				Name: name, Value: value, MaxAge: 3600, HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteLaxMode,
			})
		}
		location := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier))
		http.Redirect(w, r, location, http.StatusFound)
	})

	http.HandleFunc("GET /callback", func(w http.ResponseWriter, r *http.Request) {
		claims, err := finish(r, config, idTokens)
		if err != nil {
			log.Print(err)
			http.Error(w, "You are not logged in", http.StatusBadRequest)
			return
		}
		json.NewEncoder(w).Encode(claims)
	})

	listener, err := net.Listen("tcp", "localhost:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("open http://localhost:%d/login", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, nil))
}

// finish says who has come back.
func finish(r *http.Request, config oauth2.Config, idTokens *oidc.IDTokenVerifier) (claims map[string]any, err error) {
	kept := map[string]string{}
	for _, cookie := range r.Cookies() {
		kept[cookie.Name] = cookie.Value
	}
	if kept["state"] == "" || r.FormValue("state") != kept["state"] {
		return nil, errors.New("this browser has not begun this")
	}
	if refusal := r.FormValue("error"); refusal != "" {
		return nil, errors.New(refusal + ": " + r.FormValue("error_description"))
	}
	tokens, err := config.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(kept["verifier"]))
	if err != nil {
		return nil, err
	}
	text, _ := tokens.Extra("id_token").(string)
	idToken, err := idTokens.Verify(r.Context(), text)
	if err != nil {
		return nil, err
	}
	if idToken.Nonce != kept["nonce"] {
		return nil, errors.New("the id token belongs to another login")
	}
	return claims, idToken.Claims(&claims)
}
