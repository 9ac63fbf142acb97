// Spring Boot 4, Java 17: spring-boot-starter-webmvc, spring-boot-starter-security-oauth2-client. Before Spring Security 7
// PKCE needs a bean: DefaultOAuth2AuthorizationRequestResolver with OAuth2AuthorizationRequestCustomizers.withPkce().
package signin;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class SignIn {
    public static void main(String[] args) {
        SpringApplication.run(SignIn.class, args);
    }

    @GetMapping("/me")
    Map<String, Object> me(@AuthenticationPrincipal OidcUser person) {
        return person.getClaims();
    }
}
