package io.idempotent.boot;

import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.idempotent.IdempotencyListener;
import io.idempotent.OutcomeVerifier;
import io.idempotent.boot.internal.policy.PropertiesOperationPolicies;
import io.idempotent.boot.internal.properties.IdempotentProperties;
import io.idempotent.boot.internal.properties.StoreProperties.Redis;
import io.idempotent.boot.internal.properties.StoreProperties.StoreType;
import io.idempotent.boot.internal.redis.RedisDetails;
import io.idempotent.boot.internal.redis.RedisDetailsConfiguration;
import io.idempotent.boot.internal.store.AbsentStore;
import io.idempotent.boot.internal.store.CaffeineOutcomeCache;
import io.idempotent.boot.internal.store.GateLifecycle;
import io.idempotent.boot.internal.store.JdbcSchema;
import io.idempotent.boot.internal.store.RequiredTable;
import io.idempotent.boot.internal.store.RequiredTables;
import io.idempotent.boot.internal.store.StoreConnection;
import io.idempotent.boot.settings.InvalidConfigurationException;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.jdbc.store.JdbcIdempotencyStore;
import io.idempotent.method.OperationNames;
import io.idempotent.redis.RedisIdempotencyStore;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.store.OutcomeCache;
import io.idempotent.store.RecordEncryption;
import io.idempotent.store.RecordEncryption.Cipher;
import io.idempotent.store.WakeUps;
import io.idempotent.store.local.LocalIdempotencyStore;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.event.SubmissionObserver;
import io.idempotent.submission.policy.OperationPolicies;
import io.idempotent.submission.receipt.Receipts;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.security.crypto.encrypt.BytesEncryptor;

/**
 * Auto-configuration for the store and the state machine of idempotent operations.
 */
@AutoConfiguration(afterName = { "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
		"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
		"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
		"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration" })
@ConditionalOnClass(IdempotencyGate.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@EnableConfigurationProperties(IdempotentProperties.class)
public final class IdempotencyAutoConfiguration {

	private static final Duration NEAR_CACHE_AGE = Duration.ofMinutes(10);

	/** Small compared to any heap, and thousands of responses. */
	private static final long NEAR_CACHE_BYTES = 16 * 1024 * 1024;

	@Bean("io.idempotent.idempotencyGate")
	@ConditionalOnMissingBean
	IdempotencyGate idempotencyGate(IdempotentProperties properties, ObjectProvider<IdempotencyStore> store,
			ObjectProvider<WakeUps> wakeUps, ObjectProvider<OutcomeCache> cache,
			ObjectProvider<OutcomeVerifier> verifier, ObjectProvider<Receipts> receipts,
			ObjectProvider<RecordEncryption> encryption, ObjectProvider<IdempotencyListener> listeners,
			ObjectProvider<SubmissionObserver> observer, ConfigurableEnvironment environment,
			ConfigurableListableBeanFactory beans) {
		IdempotencyStore records = store.getIfAvailable(() -> {
			if (AbsentStore.isExpected(environment, beans.getBeanClassLoader())) {
				return new AbsentStore();
			}
			throw AbsentStore.missing(properties.store().type());
		});
		return new IdempotencyGate.Builder(records).wakeUps(wakeUps(records, wakeUps))
			.maxWaiters(properties.waiting().maxWaiters())
			.outcomeCache(Objects.requireNonNullElse(cache.getIfAvailable(), OutcomeCache.NONE))
			.outcomeVerifier(verifier.getIfAvailable())
			.receipts(receipts.getIfAvailable())
			.encryption(Objects.requireNonNullElse(encryption.getIfAvailable(), RecordEncryption.NONE))
			.listeners(listeners.orderedStream().toList())
			.observer(Objects.requireNonNullElse(observer.getIfAvailable(), SubmissionObserver.NONE))
			.origin(Namespace.in(environment), NodeName.in(environment))
			.build();
	}

	@Bean("io.idempotent.idempotencyOperationPolicies")
	@ConditionalOnMissingBean(OperationPolicies.class)
	PropertiesOperationPolicies idempotencyOperationPolicies(IdempotentProperties properties,
			ConfigurableEnvironment environment, ObjectProvider<Receipts> receipts,
			ObjectProvider<OutcomeVerifier> verifier) {
		return new PropertiesOperationPolicies(properties, environment, receipts::getIfAvailable,
				() -> verifier.stream().findAny().isPresent());
	}

	@Bean("io.idempotent.idempotencyOperationNames")
	OperationNames idempotencyOperationNames() {
		return new OperationNames();
	}

	@Bean("io.idempotent.idempotencyGateLifecycle")
	GateLifecycle idempotencyGateLifecycle(IdempotencyGate gate, OperationNames names,
			ObjectProvider<IdempotencyStore> store, ObjectProvider<StoreConnection> connection,
			ConfigurableEnvironment environment, ConfigurableListableBeanFactory beans) {
		return new GateLifecycle(gate, () -> {
			if (!names.taken().isEmpty() && store.stream().findAny().isEmpty()
					&& AbsentStore.isExpected(environment, beans.getBeanClassLoader())) {
				throw AbsentStore.missing(StoreType.REDIS);
			}
			StoreConnection opened = connection.getIfAvailable();
			if (opened != null) {
				opened.open(gate::storeFailed);
			}
		});
	}

	@Bean("io.idempotent.idempotencyStore")
	@ConditionalOnMissingBean(IdempotencyStore.class)
	@ConditionalOnProperty(name = "idempotent.store.type", havingValue = "local")
	LocalIdempotencyStore localIdempotencyStore(IdempotentProperties properties) {
		return new LocalIdempotencyStore(properties.store().local().maxRecords());
	}

	@Bean("io.idempotent.idempotencyOutcomeCache")
	@ConditionalOnClass(name = "com.github.benmanes.caffeine.cache.Caffeine")
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "idempotent.store.near-cache.enabled", matchIfMissing = true)
	OutcomeCache idempotencyOutcomeCache() {
		return new CaffeineOutcomeCache(NEAR_CACHE_BYTES, NEAR_CACHE_AGE);
	}

	/** A {@link WakeUps} bean of the application takes precedence over the store's. */
	private static @Nullable WakeUps wakeUps(IdempotencyStore store, ObjectProvider<WakeUps> wakeUps) {
		List<WakeUps> others = wakeUps.stream().filter((candidate) -> candidate != store).toList();
		return (others.size() == 1) ? others.get(0) : wakeUps.getIfAvailable();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(BytesEncryptor.class)
	static class EncryptionConfiguration {

		/** By the beans that are meant for it: others may not authenticate. */
		@Bean("io.idempotent.recordEncryption")
		@ConditionalOnMissingBean
		RecordEncryption recordEncryption(@Qualifier("idempotent") ObjectProvider<BytesEncryptor> ordered,
				@Qualifier("idempotent") ObjectProvider<Map<String, BytesEncryptor>> named) {
			IdentityHashMap<BytesEncryptor, String> names = new IdentityHashMap<>();
			named.ifAvailable((beans) -> beans.forEach((name, bean) -> names.put(bean, name)));
			return new RecordEncryption(ordered.orderedStream()
				.map((each) -> new Cipher(names.getOrDefault(each, "?"), each::encrypt, each::decrypt))
				.toList());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(IdempotencyStore.class)
	@ConditionalOnClass(RedisIdempotencyStore.class)
	@ConditionalOnBean(RedisConnectionFactory.class)
	@ConditionalOnProperty(name = "idempotent.store.type", havingValue = "redis", matchIfMissing = true)
	@Import(RedisDetailsConfiguration.class)
	static class RedisStoreConfiguration {

		@Bean("io.idempotent.idempotencyStore")
		RedisIdempotencyStore idempotencyStore(IdempotentProperties properties, RedisConnectionFactory connections,
				ObjectProvider<RedisDetails> details) {
			Redis redis = properties.store().redis();
			List<RedisDetails.Node> masterAndReplicas = Objects
				.requireNonNullElse(details.getIfAvailable(), RedisDetails.NONE)
				.masterAndReplicas();
			try {
				return masterAndReplicas.isEmpty()
						? new RedisIdempotencyStore(connections, redis.keyPrefix(), redis.timeout())
						// Lettuce does not expose the nodes of a master and its replicas.
						: new RedisIdempotencyStore(connections, redis.keyPrefix(), redis.timeout(),
								describe(masterAndReplicas));
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidConfigurationException("idempotent.store.redis.key-prefix", redis.keyPrefix(),
						"no key can begin like that", String.valueOf(ex.getMessage()));
			}
		}

		private static String describe(List<RedisDetails.Node> nodes) {
			return "master and replicas "
					+ nodes.stream().map((node) -> node.host() + ":" + node.port()).sorted().toList();
		}

		@Bean("io.idempotent.idempotencyStoreConnection")
		StoreConnection idempotencyStoreConnection(RedisIdempotencyStore store, IdempotentProperties properties) {
			return new StoreConnection(store, properties.store().requiredAtStart(), () -> warnings(store)).openSoon();
		}

		private static List<String> warnings(RedisIdempotencyStore store) {
			return store.evictingPolicy()
				.map((policy) -> "Redis has maxmemory-policy '" + policy
						+ "' and may evict the records of idempotent operations when its memory is full, so that an "
						+ "operation could run again within its retention: use a Redis with 'noeviction' for them")
				.stream()
				.toList();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(IdempotencyStore.class)
	@ConditionalOnClass({ JdbcIdempotencyStore.class, DataSourceScriptDatabaseInitializer.class })
	@ConditionalOnBean(DataSource.class)
	@ConditionalOnProperty(name = "idempotent.store.type", havingValue = "jdbc")
	static class JdbcStoreConfiguration {

		@Bean("io.idempotent.idempotencyStore")
		@DependsOnDatabaseInitialization
		JdbcIdempotencyStore idempotencyStore(IdempotentProperties properties, DataSource dataSource,
				ConfigurableEnvironment environment) {
			JdbcSchema.create(dataSource, JdbcIdempotencyStore.class, environment);
			return new JdbcIdempotencyStore(dataSource, properties.store().jdbc().table(), JdbcSchema.QUERY_TIMEOUT);
		}

		@Bean("io.idempotent.idempotencyStoreConnection")
		StoreConnection idempotencyStoreConnection(JdbcIdempotencyStore store, IdempotentProperties properties) {
			return new StoreConnection(store, properties.store().requiredAtStart(), null);
		}

		@Bean("io.idempotent.idempotencyStoreTables")
		RequiredTables idempotencyStoreTables(JdbcIdempotencyStore store, IdempotentProperties properties,
				DataSource dataSource) {
			return () -> Stream.of(new RequiredTable(dataSource, "idempotent.store.jdbc.table",
					properties.store().jdbc().table(), "idempotent_record", "every submission is refused",
					store.getClass(),
					"Keep records in Redis (idempotent.store.type=redis), or define an IdempotencyStore bean on one of the "
							+ "databases: new JdbcIdempotencyStore(dataSource)"));
		}

	}

}
