package io.idempotent.sample.checkout;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.savedrequest.HttpSessionRequestCache;

/**
 * The checkout is open to everybody, except for orders on account. Its forms carry a CSRF
 * token beside the token that makes them take effect once.
 */
@Configuration(proxyBeanMethods = false)
class CheckoutSecurity {

	@Bean
	SecurityFilterChain checkoutSecurityFilterChain(HttpSecurity http) {
		return http.securityMatcher("/checkout/**")
			.authorizeHttpRequests((requests) -> requests.requestMatchers(HttpMethod.POST, "/checkout/account")
				.authenticated()
				.anyRequest()
				.permitAll())
			.exceptionHandling(
					(exceptions) -> exceptions.authenticationEntryPoint(new LoginUrlAuthenticationEntryPoint("/login")))
			// An order that is sent before the login is kept until after it. By default
			// only GET requests are.
			.requestCache((cache) -> cache.requestCache(new HttpSessionRequestCache()))
			.build();
	}

}
