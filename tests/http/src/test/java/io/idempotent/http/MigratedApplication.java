package io.idempotent.http;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.http.OldAnnotations.Baomidou;
import io.idempotent.http.OldAnnotations.Jeecg;
import io.idempotent.http.OldAnnotations.Klocks;
import io.idempotent.http.OldAnnotations.Pig;
import io.idempotent.http.OldAnnotations.RuoYi;
import io.idempotent.http.OldAnnotations.RuoYiVuePlus;
import io.idempotent.http.OldAnnotations.Yudao;
import io.idempotent.lock.LockNotObtainedException;
import io.idempotent.lock.LockNotObtainedHandler;
import io.idempotent.webmvc.Caller;
import io.idempotent.webmvc.CallerResolver;
import io.idempotent.webmvc.OutcomeClassifier;
import io.idempotent.webmvc.ProblemRenderer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * An application with the habits of the teams: envelopes with status 200, a token header
 * for the user, and the old annotations.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ MigratedApplication.Orders.class, MigratedApplication.Failures.class })
class MigratedApplication {

	@Bean
	CallerResolver callerResolver() {
		return (request) -> {
			String token = request.getHeader("Authorization");
			return (token != null) ? Caller.named(token) : Caller.ANONYMOUS;
		};
	}

	@Bean
	OutcomeClassifier outcomeClassifier() {
		return OutcomeClassifier.jsonField("code", "200");
	}

	@Bean
	ProblemRenderer problemRenderer(JsonMapper json) {
		return (refusal, request, response) -> {
			response.setContentType("application/json;charset=UTF-8");
			json.writeValue(response.getOutputStream(),
					Map.of("code", 500, "msg", request.getAttribute(ProblemRenderer.MESSAGE_ATTRIBUTE)));
		};
	}

	@Bean
	Busy busy() {
		return new Busy();
	}

	static class Busy implements LockNotObtainedHandler {

		@Override
		public Object answer(Method method, @Nullable Object[] arguments, LockNotObtainedException reason) {
			return "busy";
		}

	}

	@RestControllerAdvice
	static class Failures {

		@ExceptionHandler(IllegalStateException.class)
		Map<String, Object> handle(IllegalStateException failure) {
			return Map.of("code", 500, "msg", String.valueOf(failure.getMessage()));
		}

	}

	record Order(String id, int amount, boolean fails) {
	}

	@RestController
	static class Orders {

		private final AtomicInteger runs = new AtomicInteger();

		/** A run that begins with amount 0 waits until it is let go. */
		final CountDownLatch begun = new CountDownLatch(1);

		final CountDownLatch go = new CountDownLatch(1);

		int runs() {
			return this.runs.getAndSet(0);
		}

		private String run() {
			return String.valueOf(this.runs.incrementAndGet());
		}

		private String runUntilLetGo() throws InterruptedException {
			this.begun.countDown();
			this.go.await(1, TimeUnit.MINUTES);
			return run();
		}

		@PostMapping("/ruoyi/short")
		@RuoYi.RepeatSubmit(interval = "300ms", message = "too soon")
		String ruoyiShort(@RequestBody Order order) {
			return run();
		}

		@PostMapping("/ruoyi")
		@RuoYi.RepeatSubmit(interval = "10m")
		String ruoyi(@RequestBody Order order) {
			if (order.fails()) {
				throw new IllegalStateException(run());
			}
			return run();
		}

		@PostMapping("/plus")
		@RuoYiVuePlus.RepeatSubmit
		Map<String, Object> plus(@RequestBody Order order) {
			run();
			return Map.of("code", order.fails() ? 500 : 200);
		}

		@PostMapping("/yudao")
		@Yudao.Idempotent(timeout = "10m", keyArg = "#order.id")
		String yudao(@RequestBody Order order) {
			return run();
		}

		@PostMapping("/yudao/long")
		@Yudao.Idempotent(timeout = "1ms")
		String yudaoLong(@RequestBody Order order) throws InterruptedException {
			return runUntilLetGo();
		}

		@PostMapping("/pig")
		@Pig.Idempotent(key = "#order.id", expireTime = "10m")
		String pig(@RequestBody Order order) {
			return run();
		}

		@PostMapping("/pig/del-key")
		@Pig.OneAtATime(key = "#order.id")
		String pigDelKey(@RequestBody Order order) {
			return run();
		}

		@PostMapping("/jeecg/repeat")
		@Jeecg.JRepeat(lockTime = "10m", lockKey = "#order.id")
		String repeat(@RequestBody Order order) {
			return run();
		}

		@PostMapping("/jeecg/lock")
		@Jeecg.JLock(keyPrefix = "stock", lockKey = "#order.id", waitTime = "0s")
		String lock(@RequestBody Order order) {
			return run();
		}

		@PostMapping("/lock4j")
		@Baomidou.Lock4j(name = "stock", keys = "#order.id", acquireTimeout = "0s", failStrategy = Busy.class)
		String lock4j(@RequestBody Order order) {
			return run();
		}

		@PostMapping("/lock4j/held")
		@Baomidou.HeldAfterwards(name = "held", expire = "10m")
		String held(@RequestBody Order order) {
			return run();
		}

		@PostMapping("/klock")
		@Klocks.Klock(name = "stock", keys = "#order.id", waitTime = "10ms")
		String klock(@RequestBody Order order) {
			return run();
		}

	}

}
