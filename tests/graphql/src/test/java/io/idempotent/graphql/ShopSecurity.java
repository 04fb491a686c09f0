package io.idempotent.graphql;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** HTTP Basic. Ann is a clerk. */
@Configuration(proxyBeanMethods = false)
@EnableMethodSecurity
class ShopSecurity {

	@Bean
	SecurityFilterChain securityFilterChain(HttpSecurity http) {
		return http.csrf((csrf) -> csrf.disable())
			.httpBasic(Customizer.withDefaults())
			.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
			.build();
	}

	@Bean
	InMemoryUserDetailsManager users() {
		return new InMemoryUserDetailsManager(user("ann", "CLERK"), user("bob", "USER"));
	}

	/** BCrypt takes most of the processor time of such tests. */
	@Bean
	@SuppressWarnings("deprecation")
	PasswordEncoder passwordEncoder() {
		return NoOpPasswordEncoder.getInstance();
	}

	private static UserDetails user(String name, String role) {
		return User.withUsername(name).password("secret").roles(role).build();
	}

}
