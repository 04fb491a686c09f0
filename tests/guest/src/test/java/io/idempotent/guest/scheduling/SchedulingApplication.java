package io.idempotent.guest.scheduling;

import java.util.concurrent.CompletableFuture;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Has a scheduler of its own, and asynchronous methods.
 */
@SpringBootApplication
@EnableScheduling
@EnableAsync
public class SchedulingApplication {

	@Bean
	TaskScheduler ownScheduler() {
		ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
		scheduler.setThreadNamePrefix("own-scheduler-");
		return scheduler;
	}

	@Bean
	Jobs jobs() {
		return new Jobs();
	}

	/** Proxied, so not final. */
	static class Jobs {

		@Scheduled(fixedDelay = 60_000)
		public void run() {
			// Only the thread is of interest.
		}

		@Async
		public CompletableFuture<String> thread() {
			return CompletableFuture.completedFuture(Thread.currentThread().getName());
		}

	}

	@RestController
	record Threads(Jobs jobs) {

		@GetMapping("/thread")
		String thread() {
			return this.jobs.thread().join();
		}

	}

}
