package io.idempotent.guest.security;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Has no CSRF tokens.
 */
@SpringBootApplication
public class OpenApplication {

	@Bean
	SecurityFilterChain open(HttpSecurity http) {
		return http.csrf(AbstractHttpConfigurer::disable)
			.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
			.build();
	}

}
