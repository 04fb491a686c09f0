package io.idempotent.administration.autoconfigure;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyTemplate;
import io.idempotent.Idempotent;
import io.idempotent.KeySource;
import io.idempotent.WhenFailed;
import io.idempotent.WhenUnknown;
import io.idempotent.method.MessageIdentity;
import io.idempotent.store.OperationKey;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Operations with a key of each kind.
 */
@Configuration(proxyBeanMethods = false)
class Shop {

	@Bean
	Bank bank() {
		return new Bank();
	}

	@Bean
	Books books() {
		return new Books();
	}

	@Bean
	LetterIdentity letterIdentity() {
		return new LetterIdentity();
	}

	@RestController
	static class Orders {

		private final Bank bank;

		private final Books books;

		private final IdempotencyTemplate template;

		Orders(Bank bank, Books books, IdempotencyTemplate template) {
			this.bank = bank;
			this.books = books;
			this.template = template;
		}

		@PostMapping("/baskets")
		@ApiIdempotent(value = KeySource.TOKEN, name = "basket")
		@ResponseStatus(HttpStatus.CREATED)
		String basket() {
			return "basket";
		}

		@PostMapping("/customers/{customer}/orders/{number}")
		@ApiIdempotent(value = KeySource.HEADER, name = "order", lease = "${order.lease:20s}")
		@ResponseStatus(HttpStatus.CREATED)
		String order(@PathVariable String customer, @PathVariable String number) {
			return customer + "/" + number;
		}

		@PostMapping({ "/files/{shelf}/**", "/archive/{*path}" })
		@ApiIdempotent(value = KeySource.HEADER, name = "file")
		@ResponseStatus(HttpStatus.CREATED)
		String file() {
			return "file";
		}

		@RequestMapping(path = "/notes", method = { RequestMethod.POST, RequestMethod.PUT })
		@ApiIdempotent(value = KeySource.HEADER, name = "note")
		@ResponseStatus(HttpStatus.CREATED)
		String note() {
			return "note";
		}

		@PostMapping("/comments/{post}")
		@ApiIdempotent(value = KeySource.CONTENT, name = "comment")
		@ResponseStatus(HttpStatus.CREATED)
		String comment(@RequestBody(required = false) Map<String, Object> comment) {
			return "comment";
		}

		@PostMapping("/forms")
		@ApiIdempotent(value = KeySource.CONTENT, name = "form")
		@ResponseStatus(HttpStatus.CREATED)
		String form(@RequestParam String name) {
			return "form";
		}

		@PutMapping("/invoices/{number}")
		@ApiIdempotent(key = "#number", name = "invoice")
		ResponseEntity<byte[]> invoice(@PathVariable String number) {
			return ResponseEntity.status(HttpStatus.CREATED).body(new byte[] { 1, 2, 3 });
		}

		@PostMapping("/payments")
		@ApiIdempotent(value = KeySource.HEADER, name = "payment", whenFailed = WhenFailed.UNKNOWN,
				whenUnknown = WhenUnknown.REJECT)
		String payment() {
			return this.bank.pay();
		}

		@PostMapping("/refunds/{id}")
		String refund(@PathVariable long id) {
			return this.books.refund(id);
		}

		@PostMapping("/transfers/{from}/{to}")
		void transfer(@PathVariable String from, @PathVariable String to) {
			this.books.transfer(new Transfer(to, from));
		}

		@PostMapping("/letters/{caller}/{key}")
		void letter(@PathVariable String caller, @PathVariable String key) {
			this.books.send(new Letter(caller, key));
		}

		@PostMapping("/adjustments/{id}")
		void adjustment(@PathVariable String id) {
			this.template.executeWithoutResult("adjustment", id, (context) -> {
			});
		}

	}

	/**
	 * Sometimes does not respond.
	 */
	static class Bank {

		final AtomicInteger payments = new AtomicInteger();

		volatile boolean broken;

		String pay() {
			int number = this.payments.incrementAndGet();
			if (this.broken) {
				throw new IllegalStateException("The bank does not respond");
			}
			return "payment " + number;
		}

	}

	/**
	 * Not final, so that it can be proxied.
	 */
	static class Books {

		@Idempotent(key = "#id", name = "refund")
		String refund(long id) {
			return "refund " + id;
		}

		@Idempotent(key = "#transfer", name = "transfer")
		void transfer(Transfer transfer) {
		}

		@Idempotent(name = "letter")
		void send(Letter letter) {
		}

	}

	record Transfer(String to, String from) {
	}

	record Letter(String caller, String key) {
	}

	/**
	 * The key on a letter belongs to its caller.
	 */
	static class LetterIdentity implements MessageIdentity {

		@Override
		public boolean supports(Method method) {
			return method.getParameterTypes()[0] == Letter.class;
		}

		@Override
		public Identity identify(String operation, Method method, @Nullable Object[] arguments) {
			Letter letter = (Letter) arguments[0];
			return new Identity(letter.key(), "", OperationKey.caller(letter.caller(), null, null));
		}

		@Override
		public boolean isOfCaller() {
			return true;
		}

		@Override
		public String description() {
			return "the key on the letter";
		}

	}

}
