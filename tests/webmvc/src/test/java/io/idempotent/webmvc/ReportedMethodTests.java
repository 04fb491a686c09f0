package io.idempotent.webmvc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.idempotent.Idempotent;
import io.idempotent.Refusal;
import io.idempotent.SubmissionRefusedException;
import io.idempotent.lock.DistributedLocked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.util.AopTestUtils;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Applications of public bug reports, with idempotent and locked methods of beans.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = { "idempotent.store.type=local", "idempotent.lock.engines=local", "idempotent.guard.enabled=true",
				"idempotent.guard.receipt.table=public.idempotent_receipt", "spring.application.name=reported" })
@ExtendWith(OutputCaptureExtension.class)
@DirtiesContext
class ReportedMethodTests {

	private final String key = UUID.randomUUID().toString();

	@MockitoSpyBean
	private Orders orders;

	@MockitoBean
	private Mails mails;

	@Autowired
	private Results results;

	@Autowired
	private Tenants tenants;

	@Autowired
	private Reports reports;

	@Autowired
	private JdbcTemplate sql;

	@Test
	void aSpyIsCalledOnceForAKey() {
		assertThat(this.orders.place(this.key)).isEqualTo(this.orders.place(this.key));
		verify(this.orders, times(1)).place(this.key);
	}

	@Test
	void aStubOnTheTargetOfASpyIsReturned() {
		Orders target = AopTestUtils.getUltimateTargetObject(this.orders);
		willReturn("stub").given(target).place(this.key);
		assertThat(this.orders.place(this.key)).isEqualTo("stub");
	}

	@Test
	void aMockIsNotGuarded() {
		given(this.mails.send(this.key)).willReturn("first", "second");
		assertThat(this.mails.send(this.key)).isEqualTo("first");
		assertThat(this.mails.send(this.key)).isEqualTo("second");
	}

	@Test
	void anAsynchronousMethodHoldsItsLockWhileItRuns() throws InterruptedException {
		this.reports.write();
		this.reports.write();
		this.reports.await();
		assertThat(this.reports.most()).isOne();
	}

	@Test
	void theSchemaOfATenantDoesNotHideReceipts() {
		for (String tenant : List.of("ann", "bob")) {
			this.sql.execute("create schema " + tenant);
			this.sql.execute("create table " + tenant + ".item (id varchar(100))");
			Application.tenant.set(tenant);
			try {
				this.tenants.store(tenant + this.key);
				this.tenants.store(tenant + this.key);
			}
			finally {
				Application.tenant.remove();
			}
			assertThat(count(tenant + ".item")).isOne();
		}
		assertThat(count("public.idempotent_receipt where operation like 'Tenants%'")).isEqualTo(2);
	}

	private @Nullable Integer count(String rows) {
		return this.sql.queryForObject("select count(*) from " + rows, Integer.class);
	}

	@Test
	void aMessageIdThatSpringDrawsIsNoKey() {
		Message<String> message = MessageBuilder.withPayload(this.key).build();
		assertThat(message.getHeaders().getId()).isNotNull();
		assertThatExceptionOfType(SubmissionRefusedException.class).isThrownBy(() -> this.results.receive(message))
			.satisfies((refused) -> assertThat(refused.refusal()).isEqualTo(Refusal.KEY_MISSING));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableAsync
	@Import({ Orders.class, Mails.class, Results.class, Tenants.class, Reports.class })
	static class Application {

		static final ThreadLocal<String> tenant = new ThreadLocal<>();

		@Bean
		static BeanPostProcessor schemaOfTenants() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					return (bean instanceof DataSource database) ? new TenantDataSource(database) : bean;
				}

			};
		}

	}

	private static final class TenantDataSource extends DelegatingDataSource {

		TenantDataSource(DataSource database) {
			super(database);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			String tenant = Application.tenant.get();
			connection.setSchema((tenant != null) ? tenant.toUpperCase(Locale.ROOT) : "PUBLIC");
			return connection;
		}

	}

	static class Orders {

		private final AtomicInteger runs = new AtomicInteger();

		@Idempotent(key = "#id")
		@Transactional
		public String place(String id) {
			return "order " + this.runs.incrementAndGet();
		}

	}

	static class Mails {

		@Idempotent(key = "#id")
		public String send(String id) {
			return id;
		}

	}

	static class Tenants {

		private final JdbcTemplate sql;

		Tenants(JdbcTemplate sql) {
			this.sql = sql;
		}

		@Idempotent(key = "#id")
		@Transactional
		public void store(String id) {
			this.sql.update("insert into item (id) values (?)", id);
		}

	}

	static class Reports {

		private final CountDownLatch toDo = new CountDownLatch(2);

		private final AtomicInteger running = new AtomicInteger();

		private volatile int most;

		@Async
		@DistributedLocked(name = "report", waitTime = "10s")
		public void write() throws InterruptedException {
			this.most = Math.max(this.most, this.running.incrementAndGet());
			this.toDo.await(100, TimeUnit.MILLISECONDS);
			this.running.decrementAndGet();
			this.toDo.countDown();
		}

		public void await() throws InterruptedException {
			assertThat(this.toDo.await(20, TimeUnit.SECONDS)).isTrue();
		}

		public int most() {
			return this.most;
		}

	}

	static class Results {

		@MessageMapping("payments")
		@Idempotent
		public void receive(Message<String> message) {
			throw new IllegalStateException("ran");
		}

	}

}
