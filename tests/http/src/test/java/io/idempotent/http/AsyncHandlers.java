package io.idempotent.http;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.idempotent.ApiIdempotent;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.ModelAndView;

/**
 * Results that come later, from another thread.
 */
@Controller
@ResponseBody
@RequestMapping("/later")
class AsyncHandlers {

	/**
	 * Longer than a busy machine takes for the first dispatch: over HTTP/2, Jetty forgets
	 * a time-out that ends before.
	 */
	private static final long TIMEOUT_MILLIS = 250;

	private static final Executor SOON = CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS);

	static List<Twin> twins() {
		return List.of(Twin.of("a Callable", Request.post("/later/callable")),
				Twin.of("a Callable of an entity", Request.post("/later/entity")),
				Twin.of("a Callable that fails", Request.post("/later/callable-fails")),
				Twin.of("a Callable that is answered 409", Request.post("/later/callable-conflict")),
				Twin.of("a Callable of a redirect", Request.post("/later/redirect")),
				Twin.of("a Callable of a forward", Request.post("/later/forward")),
				Twin.of("a Callable with a reason", Request.post("/later/reason")),
				Twin.of("a Callable that writes", Request.post("/later/writes")),
				Twin.of("a WebAsyncTask", Request.post("/later/task")),
				Twin.of("a DeferredResult that does not come", Request.post("/later/late"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_RUNS),
				Twin.of("a DeferredResult that does not come, and an answer in its place",
						Request.post("/later/late-answer")),
				Twin.of("a Mono of a value", Request.post("/later/mono-just")),
				Twin.of("a Mono of a call", Request.post("/later/mono-call")),
				Twin.of("a Callable that is not declared", Request.post("/later/undeclared")),
				Twin.of("a CompletableFuture that is not declared and fails", Request.post("/later/undeclared-fails")),
				Twin.of("writes that do not block", Request.post("/later/not-blocking"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("a DeferredResult", Request.post("/later/deferred")),
				Twin.of("a DeferredResult that is there at once", Request.post("/later/deferred-at-once")),
				Twin.of("a DeferredResult of an error", Request.post("/later/deferred-fails")),
				Twin.of("a DeferredResult of null", Request.post("/later/deferred-null")),
				Twin.of("a CompletableFuture", Request.post("/later/future")),
				Twin.of("a CompletableFuture that is done", Request.post("/later/future-done")),
				Twin.of("a CompletableFuture that fails", Request.post("/later/future-fails")),
				Twin.of("a CompletionStage of JSON", Request.post("/later/stage")),
				Twin.of("a CompletableFuture of more than is recorded", Request.post("/later/large"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("an entity with a CompletableFuture", Request.post("/later/entity-of-future")),
				Twin.of("a Mono", Request.post("/later/mono")),
				Twin.of("an empty Mono", Request.post("/later/mono-empty")),
				Twin.of("a Mono that fails", Request.post("/later/mono-fails")));
	}

	@PostMapping("/callable")
	@ApiIdempotent
	Callable<String> callable() {
		return () -> "seven";
	}

	@PostMapping("/entity")
	@ApiIdempotent
	Callable<ResponseEntity<String>> entity() {
		return () -> ResponseEntity.status(HttpStatus.CREATED).header("X-Order-Id", "7").body("seven");
	}

	@PostMapping("/callable-fails")
	@ApiIdempotent
	Callable<String> callableFails() {
		return () -> {
			throw new IllegalStateException("broken");
		};
	}

	@PostMapping("/callable-conflict")
	@ApiIdempotent
	Callable<String> callableConflict() {
		return () -> {
			throw new ResponseStatusException(HttpStatus.CONFLICT, "sold out");
		};
	}

	@PostMapping("/redirect")
	@ApiIdempotent
	Callable<ResponseEntity<Void>> redirect() {
		return () -> ResponseEntity.status(HttpStatus.FOUND).header("Location", "/orders/7").build();
	}

	@PostMapping("/forward")
	@ApiIdempotent
	Callable<ModelAndView> forward() {
		return () -> new ModelAndView("forward:/pages/whole");
	}

	@PostMapping("/reason")
	@ApiIdempotent
	@ResponseStatus(code = HttpStatus.ACCEPTED, reason = "will be done")
	Callable<Void> reason() {
		return () -> null;
	}

	@PostMapping("/writes")
	@ApiIdempotent
	Callable<Void> writes(HttpServletResponse response) {
		return () -> {
			response.setContentType("text/plain");
			response.getWriter().write("seven");
			return null;
		};
	}

	@PostMapping("/task")
	@ApiIdempotent
	WebAsyncTask<String> task() {
		return new WebAsyncTask<>(5000, () -> "seven");
	}

	@PostMapping("/late")
	@ApiIdempotent
	DeferredResult<String> late() {
		return new DeferredResult<>(TIMEOUT_MILLIS);
	}

	@PostMapping("/late-answer")
	@ApiIdempotent
	DeferredResult<String> lateAnswer() {
		return new DeferredResult<>(TIMEOUT_MILLIS, "wait for a mail");
	}

	@PostMapping("/mono-just")
	@ApiIdempotent
	Mono<String> monoJust() {
		return Mono.just("seven");
	}

	@PostMapping("/mono-call")
	@ApiIdempotent
	Mono<String> monoCall() {
		return Mono.fromCallable(() -> "seven");
	}

	@PostMapping("/undeclared")
	@ApiIdempotent
	Object undeclared() {
		return callable();
	}

	@PostMapping("/undeclared-fails")
	@ApiIdempotent
	@SuppressWarnings("FutureReturnValueIgnored")
	Object undeclaredFails() {
		return futureFails();
	}

	@PostMapping("/not-blocking")
	@ApiIdempotent
	void notBlocking(HttpServletRequest request, HttpServletResponse response) throws IOException {
		AsyncContext context = request.startAsync(request, response);
		ServletOutputStream stream = response.getOutputStream();
		stream.setWriteListener(new WriteListener() {

			private boolean written;

			@Override
			public void onWritePossible() throws IOException {
				if (!this.written && stream.isReady()) {
					this.written = true;
					stream.write(Files.CONTENT);
				}
				if (this.written && stream.isReady()) {
					context.complete();
				}
			}

			@Override
			public void onError(Throwable ex) {
				context.complete();
			}

		});
	}

	@PostMapping("/deferred")
	@ApiIdempotent
	DeferredResult<String> deferred() {
		DeferredResult<String> result = new DeferredResult<>();
		SOON.execute(() -> result.setResult("seven"));
		return result;
	}

	@PostMapping("/deferred-at-once")
	@ApiIdempotent
	DeferredResult<String> deferredAtOnce() {
		DeferredResult<String> result = new DeferredResult<>();
		result.setResult("seven");
		return result;
	}

	@PostMapping("/deferred-fails")
	@ApiIdempotent
	DeferredResult<String> deferredFails() {
		DeferredResult<String> result = new DeferredResult<>();
		SOON.execute(() -> result.setErrorResult(new ResponseStatusException(HttpStatus.CONFLICT, "sold out")));
		return result;
	}

	@PostMapping("/deferred-null")
	@ApiIdempotent
	DeferredResult<String> deferredNull() {
		DeferredResult<String> result = new DeferredResult<>();
		SOON.execute(() -> result.setResult(null));
		return result;
	}

	@PostMapping("/future")
	@ApiIdempotent
	CompletableFuture<String> future() {
		return CompletableFuture.supplyAsync(() -> "seven", SOON);
	}

	@PostMapping("/future-done")
	@ApiIdempotent
	CompletableFuture<String> futureDone() {
		return CompletableFuture.completedFuture("seven");
	}

	@PostMapping("/future-fails")
	@ApiIdempotent
	CompletableFuture<String> futureFails() {
		return CompletableFuture.supplyAsync(() -> {
			throw new IllegalStateException("broken");
		}, SOON);
	}

	@PostMapping("/stage")
	@ApiIdempotent
	CompletionStage<List<Integer>> stage() {
		return CompletableFuture.supplyAsync(() -> List.of(7), SOON);
	}

	@PostMapping("/large")
	@ApiIdempotent
	CompletableFuture<byte[]> large() {
		return CompletableFuture.supplyAsync(() -> new byte[100_000], SOON);
	}

	@PostMapping("/entity-of-future")
	@ApiIdempotent
	ResponseEntity<CompletableFuture<String>> entityOfFuture() {
		return ResponseEntity.status(HttpStatus.CREATED).body(CompletableFuture.supplyAsync(() -> "seven", SOON));
	}

	@PostMapping("/mono")
	@ApiIdempotent
	Mono<String> mono() {
		return Mono.fromCompletionStage(future());
	}

	@PostMapping("/mono-empty")
	@ApiIdempotent
	Mono<String> monoEmpty() {
		return Mono.empty();
	}

	@PostMapping("/mono-fails")
	@ApiIdempotent
	Mono<String> monoFails() {
		return Mono.fromCompletionStage(futureFails());
	}

}
