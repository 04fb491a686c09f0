package io.idempotent.openapi;

import java.util.Map;

import io.idempotent.ApiIdempotent;
import io.idempotent.IdempotencyContext;
import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * An application with an idempotent operation for each key source and policy, without an
 * annotation that concerns their documents, except for those that the application has
 * documented itself.
 */
@SpringBootApplication
@Import({ Shop.Operations.class, Shop.Baskets.class, Shop.Advice.class, Conduct.class })
class Shop {

	record Item(@Nullable String sku, @Nullable String note) {
	}

	record Placed(@Nullable String sku) {
	}

	@RestController
	static class Operations {

		private final Conduct conduct;

		Operations(Conduct conduct) {
			this.conduct = conduct;
		}

		@PostMapping("/payments")
		@ResponseStatus(HttpStatus.CREATED)
		@ApiIdempotent(name = "payments", value = KeySource.HEADER, retention = "2d")
		Placed pay(@RequestBody Item item, @Nullable IdempotencyContext context, HttpServletRequest request) {
			return this.conduct.run(item, context, request);
		}

		@PostMapping("/orders")
		@ApiIdempotent(name = "orders", replayErrors = "4xx")
		Placed order(@RequestBody Item item, IdempotencyContext context, HttpServletRequest request) {
			return this.conduct.run(item, context, request);
		}

		@PostMapping(path = "/forms", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
		@ApiIdempotent(name = "forms", whenCompleted = WhenCompleted.REJECT)
		Placed submit(@RequestParam String sku, IdempotencyContext context, HttpServletRequest request) {
			return this.conduct.run(new Item(sku, null), context, request);
		}

		@PostMapping("/transfers")
		@ApiIdempotent(name = "transfers", value = KeySource.HEADER, whenUnknown = WhenUnknown.REJECT,
				whenFailed = WhenFailed.UNKNOWN, whenStoreFails = WhenStoreFails.PROCEED)
		Placed transfer(@RequestBody Item item, IdempotencyContext context, HttpServletRequest request) {
			return this.conduct.run(item, context, request);
		}

		@PostMapping("/coupons")
		@ApiIdempotent(name = "coupons", key = "#item.sku")
		Placed claim(@RequestBody Item item, IdempotencyContext context, HttpServletRequest request) {
			return this.conduct.run(item, context, request);
		}

		@PostMapping("/votes")
		@ApiIdempotent(name = "votes", value = KeySource.CONTENT, whenCompleted = WhenCompleted.BURN)
		Placed vote(@RequestBody Item item, IdempotencyContext context, HttpServletRequest request) {
			return this.conduct.run(item, context, request);
		}

		@PostMapping("/pings")
		@ApiIdempotent(name = "pings", value = KeySource.HEADER)
		Placed ping(IdempotencyContext context, HttpServletRequest request) {
			return this.conduct.run(new Item(null, null), context, request);
		}

		@PostMapping("/gifts")
		@ApiIdempotent(name = "gifts", value = KeySource.HEADER, condition = "#item.note == null")
		Placed give(@RequestBody Item item, IdempotencyContext context, HttpServletRequest request) {
			return this.conduct.run(item, context, request);
		}

		/** Documents its responses itself. */
		@PostMapping("/refunds")
		@ApiResponse(responseCode = "409", description = "The refund was refused by the bank.",
				content = @Content(mediaType = "application/problem+json",
						schema = @Schema(implementation = ProblemDetail.class)))
		@ApiResponse(responseCode = "200")
		@ApiIdempotent(name = "refunds", value = KeySource.HEADER)
		Placed refund(@RequestBody Item item, @RequestHeader("Idempotency-Key") String key, IdempotencyContext context,
				HttpServletRequest request) {
			return this.conduct.run(item, context, request);
		}

		@GetMapping("/stock")
		String stock() {
			return "much";
		}

	}

	/**
	 * Its GET is safe, and not idempotent by the annotation of the class.
	 */
	@RestController
	@ApiIdempotent(KeySource.HEADER)
	static class Baskets {

		private final Conduct conduct;

		Baskets(Conduct conduct) {
			this.conduct = conduct;
		}

		@RequestMapping(path = "/baskets", method = { RequestMethod.GET, RequestMethod.POST })
		Placed fill(HttpServletRequest request, @Nullable IdempotencyContext context) {
			return this.conduct.run(new Item(null, null), context, request);
		}

	}

	@RestControllerAdvice
	static class Advice {

		@ExceptionHandler(UnsupportedOperationException.class)
		@ResponseStatus(HttpStatus.CONFLICT)
		Map<String, String> refused() {
			return Map.of("reason", "not supported");
		}

	}

}
