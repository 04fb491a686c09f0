package io.idempotent.webmvc;

import java.net.http.HttpResponse;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.convert.converter.Converter;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A repeat is answered before its arguments are bound: the first request may have deleted
 * what they name, or taken it.
 */
class RepeatBeforeBindingTests {

	private static final Set<String> ORDERS = ConcurrentHashMap.newKeySet();

	private static final Set<String> USERS = ConcurrentHashMap.newKeySet();

	@RegisterExtension
	static final TestServer server = TestServer.of(Application.class);

	@BeforeEach
	void reset() {
		ORDERS.clear();
		ORDERS.add("7");
		USERS.clear();
	}

	@Test
	void aRepeatIsAnsweredAlthoughItsEntityIsGone() {
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = server.submit("/orders/7/deletion", key);
		assertThat(TestServer.text(first)).isEqualTo("deleted 7");
		assertThat(server.submit("/orders/7/deletion", TestServer.newKey()).statusCode()).isEqualTo(400);
		TestServer.assertReplays(first, server.submit("/orders/7/deletion", key));
	}

	@Test
	void aRepeatIsAnsweredAlthoughItsNameIsTaken() {
		String key = TestServer.newKey();
		HttpResponse<byte[]> first = server.submit("/users", key, "{\"name\":\"ida\"}");
		assertThat(TestServer.text(first)).isEqualTo("welcome, ida");
		assertThat(server.submit("/users", TestServer.newKey(), "{\"name\":\"ida\"}").statusCode()).isEqualTo(400);
		TestServer.assertReplays(first, server.submit("/users", key, "{\"name\":\"ida\"}"));
	}

	@Test
	void aKeyThatIsMadeOfTheArgumentsIsClaimedAfterThem() {
		assertThat(server.send(server.post("/users-by-name", "{\"name\":\"ida\"}")).statusCode()).isEqualTo(200);
		assertThat(server.send(server.post("/users-by-name", "{\"name\":\"ida\"}")).statusCode()).isEqualTo(400);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Controller.class)
	static class Application {

		@Bean
		OrderConverter orderConverter() {
			return new OrderConverter();
		}

	}

	@RestController
	static class Controller {

		@InitBinder("user")
		void refuseTakenNames(WebDataBinder binder) {
			binder.addValidators(new FreeName());
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/orders/{order}/deletion")
		String delete(@PathVariable Order order) {
			ORDERS.remove(order.number());
			return "deleted " + order.number();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/users")
		String register(@Validated @RequestBody User user) {
			USERS.add(user.name());
			return "welcome, " + user.name();
		}

		@ApiIdempotent(key = "#user.name")
		@PostMapping("/users-by-name")
		String registerByName(@Validated @RequestBody User user) {
			return register(user);
		}

	}

	/** Finds an entity, as the converter of Spring Data does. */
	static class OrderConverter implements Converter<String, Order> {

		@Override
		public Order convert(String number) {
			if (!ORDERS.contains(number)) {
				throw new IllegalArgumentException("There is no order " + number);
			}
			return new Order(number);
		}

	}

	static class FreeName implements Validator {

		@Override
		public boolean supports(Class<?> type) {
			return type == User.class;
		}

		@Override
		public void validate(Object user, Errors errors) {
			if (USERS.contains(((User) user).name())) {
				errors.reject("taken");
			}
		}

	}

	record Order(String number) {
	}

	public record User(String name) {
	}

}
