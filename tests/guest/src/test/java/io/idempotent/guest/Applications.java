package io.idempotent.guest;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.batch.infrastructure.support.transaction.ResourcelessTransactionManager;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.support.StaticMessageSource;
import org.springframework.core.MethodParameter;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/**
 * Applications that use none of the library.
 */
final class Applications {

	private Applications() {
	}

	/** An application of Spring Boot that finds the beans in itself alone. */
	@Retention(RetentionPolicy.RUNTIME)
	@SpringBootConfiguration
	@EnableAutoConfiguration
	@interface Standalone {

	}

	/** Returns what it was sent. */
	@RestController
	static class Echo {

		@PostMapping("/echo")
		Message echo(@RequestBody Message message) {
			return message;
		}

	}

	record Message(String text, String longName, Instant time) {
	}

	/** Returns what it was sent. */
	@Standalone
	@Import(Echo.class)
	static class Plain {

	}

	/** Counts how often it did not find a value in its cache. */
	@Standalone
	@EnableCaching
	static class Caching {

		/** Proxied, so not final. */
		@RestController
		static class Quotes {

			private final AtomicInteger found = new AtomicInteger();

			@GetMapping("/quote")
			@Cacheable("quotes")
			public int quote() {
				return this.found.incrementAndGet();
			}

		}

	}

	/** Has a template of its own. */
	@Standalone
	static class OwnTemplate {

		@Bean
		RedisTemplate<String, Object> redisTemplate(RedisConnectionFactory connections) {
			RedisTemplate<String, Object> template = new RedisTemplate<>();
			template.setConnectionFactory(connections);
			template.setKeySerializer(RedisSerializer.string());
			return template;
		}

	}

	/** Has a client of its own. */
	@Standalone
	static class OwnClient {

		@Bean
		RedissonClient redisson() {
			Config config = new Config().setLazyInitialization(true);
			config.useSingleServer().setAddress("redis://127.0.0.1:1");
			return Redisson.create(config);
		}

	}

	/** Has a mapper of its own. */
	@Standalone
	@Import(Echo.class)
	static class OwnMapper {

		@Bean
		JsonMapper jsonMapper() {
			return JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
		}

	}

	/** Shapes its responses and texts. */
	@Standalone
	static class Shaping {

		@Bean
		MessageSource messageSource() {
			StaticMessageSource messages = new StaticMessageSource();
			messages.setUseCodeAsDefaultMessage(true);
			return messages;
		}

		@RestController
		static class Quotes {

			@GetMapping("/quote")
			Map<String, String> quote() {
				return Map.of("priceOfTea", "7");
			}

		}

		@RestControllerAdvice
		static class Envelope implements ResponseBodyAdvice<Object> {

			@Override
			public boolean supports(MethodParameter returnType,
					Class<? extends HttpMessageConverter<?>> converterType) {
				return true;
			}

			@Override
			public Object beforeBodyWrite(@Nullable Object body, MethodParameter returnType, MediaType type,
					Class<? extends HttpMessageConverter<?>> converterType, ServerHttpRequest request,
					ServerHttpResponse response) {
				return Map.of("data", String.valueOf(body));
			}

			@ExceptionHandler(Exception.class)
			String failed() {
				return "failed";
			}

		}

	}

	/** Has beans with names that a library of its purpose would choose. */
	@Standalone
	@Import(Names.LikeOurs.class)
	static class Names {

		static class LikeOurs implements ImportBeanDefinitionRegistrar {

			private static final List<String> ALL = List.of("distributedLockedAdvisor", "distributedLocks",
					"fenceGuard", "guardedDatabase", "idempotencyExceptionResolver", "idempotencyFilter",
					"idempotencyGate", "idempotencyHandlerAdapter", "idempotencyOperationPolicies", "idempotencyStore",
					"idempotencyTemplate", "idempotencyTokens", "idempotencyWebMvcConfigurer", "idempotentAdvisor",
					"idempotentInterceptor", "idempotentMethods", "httpIdempotency", "localLockEngine",
					"jdbcLockEngine", "lockExceptionResolver", "lockMetrics", "lockObserver", "lockRegistry",
					"lockTemplate", "receiptGuard", "redissonClient", "webHandler");

			@Override
			public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
				ALL.forEach((name) -> registry.registerBeanDefinition(name,
						BeanDefinitionBuilder.genericBeanDefinition(StringBuilder.class).getBeanDefinition()));
			}

		}

	}

	/**
	 * Has clients of a server, whose annotated interfaces it shares. Without the starter,
	 * the annotations are not there.
	 */
	@Standalone
	static class Clients {

		@Bean
		Orders orders() {
			RestClientAdapter adapter = RestClientAdapter.create(RestClient.create("http://orders.example"));
			return HttpServiceProxyFactory.builderFor(adapter).build().createClient(Orders.class);
		}

		@Bean
		PaymentsFactory payments() {
			return new PaymentsFactory();
		}

		interface Orders {

			@ApiIdempotent
			@PostExchange("/orders")
			String create();

			@Idempotent(key = "#id")
			@PostExchange("/orders/{id}")
			String change(@PathVariable String id);

		}

		@ApiIdempotent
		interface Payments {

			@PostMapping("/payments")
			String pay();

		}

		/** As Feign makes its clients. */
		static class PaymentsFactory implements FactoryBean<Payments> {

			@Override
			public Payments getObject() {
				return (Payments) Proxy.newProxyInstance(Payments.class.getClassLoader(),
						new Class<?>[] { Payments.class }, (proxy, method, arguments) -> null);
			}

			@Override
			public Class<?> getObjectType() {
				return Payments.class;
			}

		}

	}

	/** Has a scheduler of its own, and asynchronous methods. */
	@Standalone
	@EnableScheduling
	@EnableAsync
	static class Scheduling {

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

	/** Has no CSRF tokens. */
	@Standalone
	static class Open {

		@Bean
		SecurityFilterChain open(HttpSecurity http) {
			return http.csrf(AbstractHttpConfigurer::disable)
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.build();
		}

	}

	/** Runs a job at its start. */
	@Standalone
	static class Batch {

		@Bean
		PlatformTransactionManager transactionManager() {
			return new ResourcelessTransactionManager();
		}

		@Bean
		Job job(JobRepository repository, PlatformTransactionManager transactions) {
			return new JobBuilder("job", repository)
				.start(new StepBuilder("step", repository)
					.tasklet((contribution, chunk) -> RepeatStatus.FINISHED, transactions)
					.build())
				.build();
		}

	}

}
