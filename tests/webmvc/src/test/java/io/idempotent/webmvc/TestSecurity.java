package io.idempotent.webmvc;

import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Spring Security with HTTP Basic and a few callers. Everybody may go everywhere, but
 * {@code /closed} is for clerks.
 */
@Configuration(proxyBeanMethods = false)
class TestSecurity {

	static final String CLERK = "ROLE_CLERK";

	@Bean
	SecurityFilterChain securityFilterChain(HttpSecurity http) {
		return http.csrf((csrf) -> csrf.disable())
			.httpBasic(Customizer.withDefaults())
			.authorizeHttpRequests(
					(requests) -> requests.requestMatchers("/closed/**").hasAuthority(CLERK).anyRequest().permitAll())
			.build();
	}

	@Bean
	InMemoryUserDetailsManager users() {
		return new InMemoryUserDetailsManager(user("ann", CLERK), user("bob", CLERK), user("eve"), user("-", CLERK));
	}

	/** BCrypt takes most of the processor time of such tests. */
	@Bean
	@SuppressWarnings("deprecation")
	PasswordEncoder passwordEncoder() {
		return NoOpPasswordEncoder.getInstance();
	}

	static UserDetails user(String name, String... authorities) {
		return User.withUsername(name).password("secret").authorities(authorities).build();
	}

	/**
	 * Lets a caller send a request.
	 * @param name who, or {@code null} for nobody
	 */
	static HttpRequest.Builder as(String name, HttpRequest.Builder request) {
		return (name == null) ? request : request.header("Authorization",
				"Basic " + Base64.getEncoder().encodeToString((name + ":secret").getBytes(StandardCharsets.UTF_8)));
	}

}
