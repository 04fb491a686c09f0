package io.idempotent.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Spring Security with two callers, who prove by HTTP Basic who they are.
 */
@Configuration(proxyBeanMethods = false)
class Callers {

	static final String ANN = "ann";

	static final String BOB = "bob";

	static Request as(String caller, Request request) {
		String credentials = Base64.getEncoder().encodeToString((caller + ":secret").getBytes(StandardCharsets.UTF_8));
		return request.header("Authorization: Basic " + credentials);
	}

	@Bean
	SecurityFilterChain securityFilterChain(HttpSecurity http) {
		return http.csrf((csrf) -> csrf.disable())
			.httpBasic(Customizer.withDefaults())
			.cors(Customizer.withDefaults())
			// A session id in an address is what a replay must not hand out.
			.sessionManagement((sessions) -> sessions.enableSessionUrlRewriting(true))
			.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
			.build();
	}

	/**
	 * Everybody who knows the secret. A manager would encode it, to be compared slowly.
	 */
	@Bean
	UserDetailsService users() {
		return Callers::user;
	}

	private static UserDetails user(String name) {
		return User.withUsername(name).password("{noop}secret").authorities("CUSTOMER").build();
	}

}
