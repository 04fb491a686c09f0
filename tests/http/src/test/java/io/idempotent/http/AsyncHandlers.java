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
import org.springframework.web.bind.annotation.PathVariable;
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
@ApiIdempotent
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
				Twin.of("a Mono of a value", Request.post("/later/mono/just")),
				Twin.of("a Mono of a call", Request.post("/later/mono/call")),
				Twin.of("a Callable that is not declared", Request.post("/later/undeclared")),
				Twin.of("a CompletableFuture that is not declared and fails", Request.post("/later/undeclared-fails")),
				Twin.of("writes that do not block", Request.post("/later/not-blocking"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("a DeferredResult", Request.post("/later/deferred/later")),
				Twin.of("a DeferredResult that is there at once", Request.post("/later/deferred/at-once")),
				Twin.of("a DeferredResult of an error", Request.post("/later/deferred/fails")),
				Twin.of("a DeferredResult of null", Request.post("/later/deferred/null")),
				Twin.of("a CompletableFuture", Request.post("/later/future")),
				Twin.of("a CompletableFuture that is done", Request.post("/later/future-done")),
				Twin.of("a CompletableFuture that fails", Request.post("/later/future-fails")),
				Twin.of("a CompletionStage of JSON", Request.post("/later/stage")),
				Twin.of("a CompletableFuture of more than is recorded", Request.post("/later/large"))
					.repeated(Twin.Repeat.IS_TOLD_THAT_IT_IS_DONE),
				Twin.of("an entity with a CompletableFuture", Request.post("/later/entity-of-future")),
				Twin.of("a Mono", Request.post("/later/mono/later")),
				Twin.of("an empty Mono", Request.post("/later/mono/empty")),
				Twin.of("a Mono that fails", Request.post("/later/mono/fails")));
	}

	@PostMapping("/callable")
	Callable<String> callable() {
		return () -> "seven";
	}

	@PostMapping("/entity")
	Callable<ResponseEntity<String>> entity() {
		return () -> ResponseEntity.status(HttpStatus.CREATED).header("X-Order-Id", "7").body("seven");
	}

	@PostMapping("/callable-fails")
	Callable<String> callableFails() {
		return () -> {
			throw new IllegalStateException("broken");
		};
	}

	@PostMapping("/callable-conflict")
	Callable<String> callableConflict() {
		return () -> {
			throw new ResponseStatusException(HttpStatus.CONFLICT, "sold out");
		};
	}

	@PostMapping("/redirect")
	Callable<ResponseEntity<Void>> redirect() {
		return () -> ResponseEntity.status(HttpStatus.FOUND).header("Location", "/orders/7").build();
	}

	@PostMapping("/forward")
	Callable<ModelAndView> forward() {
		return () -> new ModelAndView("forward:/pages/whole");
	}

	@PostMapping("/reason")
	@ResponseStatus(code = HttpStatus.ACCEPTED, reason = "will be done")
	Callable<Void> reason() {
		return () -> null;
	}

	@PostMapping("/writes")
	Callable<Void> writes(HttpServletResponse response) {
		return () -> {
			response.setContentType("text/plain");
			response.getWriter().write("seven");
			return null;
		};
	}

	@PostMapping("/task")
	WebAsyncTask<String> task() {
		return new WebAsyncTask<>(5000, () -> "seven");
	}

	@PostMapping("/late")
	DeferredResult<String> late() {
		return new DeferredResult<>(TIMEOUT_MILLIS);
	}

	@PostMapping("/late-answer")
	DeferredResult<String> lateAnswer() {
		return new DeferredResult<>(TIMEOUT_MILLIS, "wait for a mail");
	}

	@PostMapping("/undeclared")
	Object undeclared() {
		return callable();
	}

	@PostMapping("/undeclared-fails")
	@SuppressWarnings("FutureReturnValueIgnored")
	Object undeclaredFails() {
		return futureFails();
	}

	@PostMapping("/not-blocking")
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

	@PostMapping("/future")
	CompletableFuture<String> future() {
		return CompletableFuture.supplyAsync(() -> "seven", SOON);
	}

	@PostMapping("/future-done")
	CompletableFuture<String> futureDone() {
		return CompletableFuture.completedFuture("seven");
	}

	@PostMapping("/future-fails")
	CompletableFuture<String> futureFails() {
		return CompletableFuture.supplyAsync(() -> {
			throw new IllegalStateException("broken");
		}, SOON);
	}

	@PostMapping("/stage")
	CompletionStage<List<Integer>> stage() {
		return CompletableFuture.supplyAsync(() -> List.of(7), SOON);
	}

	@PostMapping("/large")
	CompletableFuture<byte[]> large() {
		return CompletableFuture.supplyAsync(() -> new byte[100_000], SOON);
	}

	@PostMapping("/entity-of-future")
	ResponseEntity<CompletableFuture<String>> entityOfFuture() {
		return ResponseEntity.status(HttpStatus.CREATED).body(CompletableFuture.supplyAsync(() -> "seven", SOON));
	}

	@PostMapping("/mono/{way}")
	Mono<String> mono(@PathVariable("way") String way) {
		return switch (way) {
			case "just" -> Mono.just("seven");
			case "call" -> Mono.fromCallable(() -> "seven");
			case "later" -> Mono.fromCompletionStage(future());
			case "fails" -> Mono.fromCompletionStage(futureFails());
			default -> Mono.empty();
		};
	}

	@PostMapping("/deferred/{way}")
	DeferredResult<String> deferred(@PathVariable("way") String way) {
		DeferredResult<String> result = new DeferredResult<>();
		switch (way) {
			case "at-once" -> result.setResult("seven");
			case "fails" ->
				SOON.execute(() -> result.setErrorResult(new ResponseStatusException(HttpStatus.CONFLICT, "sold out")));
			case "null" -> SOON.execute(() -> result.setResult(null));
			default -> SOON.execute(() -> result.setResult("seven"));
		}
		return result;
	}

}
