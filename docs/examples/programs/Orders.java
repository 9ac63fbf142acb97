package orders;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.authentication.JwtGrantedAuthoritiesConverter;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Orders {
    public static void main(String[] args) {
        SpringApplication.run(Orders.class, args);
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        var roles = new JwtGrantedAuthoritiesConverter();
        roles.setAuthoritiesClaimName("roles");
        roles.setAuthorityPrefix("ROLE_");
        var converter = new JwtAuthenticationConverter();
        converter.setJwtGrantedAuthoritiesConverter(roles);
        return http.authorizeHttpRequests(requests -> requests
                .requestMatchers("/reports").hasRole("editor")
                .anyRequest().authenticated())
            .oauth2ResourceServer(server -> server.jwt(jwt -> jwt.jwtAuthenticationConverter(converter)))
            .addFilterBefore(Orders::sayWithoutKeys, BearerTokenAuthenticationFilter.class)
            .build();
    }

    /** Without the keys, the token may be valid. */
    static void sayWithoutKeys(ServletRequest request, ServletResponse response, FilterChain next)
            throws IOException, ServletException {
        try {
            next.doFilter(request, response);
        } catch (AuthenticationServiceException | JwtDecoderInitializationException e) {
            ((HttpServletResponse) response).setHeader("Retry-After", "5");
            ((HttpServletResponse) response).setStatus(503);
        }
    }

    @GetMapping("/orders")
    Map<String, Object> orders(@AuthenticationPrincipal Jwt token) {
        return Map.of("account", token.getSubject(), "orders", List.of());
    }

    @GetMapping("/reports")
    Map<String, Object> reports(@AuthenticationPrincipal Jwt token) {
        return Map.of("account", token.getSubject(), "reports", List.of());
    }
}
