package main

import (
	"cmp"
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
)

func main() {
	issuer := cmp.Or(os.Getenv("GATEHOUSE_ISSUER"), "http://localhost:3000/auth")
	provider, err := oidc.NewProvider(context.Background(), issuer)
	if err != nil {
		log.Fatal(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: "gatehouse"})

	// Answers, and returns nil, where there is no good token.
	verify := func(w http.ResponseWriter, r *http.Request) *oidc.IDToken {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "Log in", http.StatusUnauthorized)
			return nil
		}
		claims, err := verifier.Verify(r.Context(), token)
		if err != nil && strings.Contains(err.Error(), "fetching keys") {
			w.Header().Set("Retry-After", "5")
			http.Error(w, "Try again in a moment", http.StatusServiceUnavailable)
			return nil
		}
		if err != nil {
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			http.Error(w, "Log in", http.StatusUnauthorized)
			return nil
		}
		return claims
	}

	http.HandleFunc("GET /orders", func(w http.ResponseWriter, r *http.Request) {
		if claims := verify(w, r); claims != nil {
			json.NewEncoder(w).Encode(map[string]any{"account": claims.Subject, "orders": []string{}})
		}
	})
	http.HandleFunc("GET /reports", func(w http.ResponseWriter, r *http.Request) {
		claims := verify(w, r)
		if claims == nil {
			return
		}
		var c struct{ Roles []string }
		if err := claims.Claims(&c); err != nil || !slices.Contains(c.Roles, "editor") {
			http.Error(w, "Not allowed", http.StatusForbidden)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"account": claims.Subject, "reports": []string{}})
	})
	log.Fatal(http.ListenAndServe(":"+cmp.Or(os.Getenv("PORT"), "4000"), nil))
}
