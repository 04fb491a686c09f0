package io.idempotent.aot.bank;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;

/**
 * A bank. Its database is in memory, unless the arguments say otherwise.
 */
@SpringBootApplication
public class BankApplication {

	public static void main(String[] arguments) {
		SpringApplication.run(BankApplication.class, arguments);
	}

	@Bean
	SecurityFilterChain openToEverybody(HttpSecurity http) {
		return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
			.csrf(AbstractHttpConfigurer::disable)
			.build();
	}

}
