package io.idempotent.http;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.http.HttpServletRequest;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Handlers whose declaration says less than what they return, or stands elsewhere.
 */
final class Declared {

	private Declared() {
	}

	static List<Twin> twins() {
		return List.of(Twin.of("Object that is text", Request.post("/objects/text")),
				Twin.of("Object that is an entity", Request.post("/objects/entity")),
				Twin.of("Object that is a Callable", Request.post("/objects/callable")),
				Twin.of("Object that is a CompletableFuture", Request.post("/objects/future")),
				Twin.of("Object that is a CompletableFuture that fails", Request.post("/objects/future-fails")),
				Twin.of("Object that is a Callable that fails", Request.post("/objects/callable-fails")),
				Twin.of("Object that is an SseEmitter", Request.post("/objects/events"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("an entity of an Object that is a StreamingResponseBody", Request.post("/objects/streaming"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("Object that is a Mono", Request.post("/objects/mono")),
				Twin.of("a raw entity", Request.post("/objects/raw")),
				Twin.of("an annotation on the method of an interface", Request.post("/interface/order")),
				Twin.of("a default method of an interface", Request.post("/interface/default")),
				Twin.of("an inherited method", Request.post("/inherited/store")),
				Twin.of("a method of an HTTP service interface", Request.post("/exchange/order")));
	}

	@RestController
	@RequestMapping("/objects")
	@SuppressWarnings("FutureReturnValueIgnored")
	@ApiIdempotent
	static class Objects {

		private static final Executor SOON = CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS);

		@PostMapping("/{kind}")
		Object any(@PathVariable("kind") String kind) throws IOException {
			return switch (kind) {
				case "text" -> "seven";
				case "entity" -> ResponseEntity.status(HttpStatus.CREATED).header("X-Order-Id", "7").body("seven");
				case "callable" -> (Callable<String>) () -> "seven";
				case "callable-fails" -> (Callable<String>) () -> {
					throw new ResponseStatusException(HttpStatus.CONFLICT, "sold out");
				};
				case "future" -> CompletableFuture.supplyAsync(() -> "seven", SOON);
				case "future-fails" -> CompletableFuture.supplyAsync(() -> {
					throw new IllegalStateException("broken");
				}, SOON);
				case "mono" -> Mono.just("seven");
				default -> {
					SseEmitter events = new SseEmitter();
					events.send("seven");
					events.complete();
					yield events;
				}
			};
		}

		@PostMapping("/streaming")
		ResponseEntity<?> streaming(HttpServletRequest request) {
			StreamingResponseBody body = (stream) -> {
				FiltersLeftFilter.await(request);
				stream.write(Files.CONTENT);
				stream.flush();
				stream.write(Files.CONTENT);
			};
			return ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body(body);
		}

		@PostMapping("/raw")
		@SuppressWarnings("rawtypes")
		ResponseEntity raw() {
			return ResponseEntity.accepted().body(List.of(7));
		}

	}

	@RequestMapping("/interface")
	interface Orders {

		@PostMapping("/order")
		@ApiIdempotent
		ResponseEntity<Parcel> order(@RequestBody Parcel parcel);

		@PostMapping("/default")
		@ApiIdempotent
		default ResponseEntity<Parcel> byDefault(@RequestBody Parcel parcel) {
			return ResponseEntity.accepted().body(parcel);
		}

	}

	@RestController
	static class OrdersInMemory implements Orders {

		@Override
		public ResponseEntity<Parcel> order(Parcel parcel) {
			return ResponseEntity.status(HttpStatus.CREATED).body(parcel);
		}

	}

	abstract static class Shelf<T> {

		@PostMapping("/store")
		@ApiIdempotent
		ResponseEntity<T> store(@RequestBody T thing) {
			return ResponseEntity.status(HttpStatus.CREATED).body(thing);
		}

	}

	@RestController
	@RequestMapping("/inherited")
	static class ParcelShelf extends Shelf<Parcel> {

	}

	@HttpExchange("/exchange")
	interface OrderService {

		@PostExchange("/order")
		@ApiIdempotent
		Parcel order(@RequestBody Parcel parcel);

	}

	@RestController
	static class OrderServiceInMemory implements OrderService {

		@Override
		public Parcel order(Parcel parcel) {
			return parcel;
		}

	}

}
