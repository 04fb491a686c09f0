package io.idempotent.lock.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

import io.idempotent.embedded.EmbeddedRedis;
import io.idempotent.lock.engine.LockEngine;
import io.idempotent.lock.engine.LockRequest;
import io.idempotent.lock.local.LocalLockEngine;
import io.idempotent.testing.ObservedDataSource;
import io.idempotent.testing.RedisAcl;
import io.idempotent.testing.RedisCluster;
import io.idempotent.testing.RedisSentinelSet;
import io.idempotent.testing.RedisUnderTest;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;
import org.redisson.config.ReadMode;
import org.redisson.config.SslVerificationMode;
import org.redisson.config.SubscriptionMode;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Clients with Redisson's usual time-outs, or with short ones, and the engines on them.
 */
final class TestRedisson implements AutoCloseable {

	private final Map<LockEngine, RedissonClient> clients = new ConcurrentHashMap<>();

	private final Function<Config, BaseConfig<?>> servers;

	private final String namespace;

	private final Runnable end;

	private final List<LettuceConnectionFactory> factories = new CopyOnWriteArrayList<>();

	private final boolean withoutRedisson;

	private TestRedisson(Function<Config, BaseConfig<?>> servers, String namespace) {
		this(servers, namespace, () -> {
		});
	}

	private TestRedisson(Function<Config, BaseConfig<?>> servers, String namespace, Runnable end) {
		this(servers, namespace, end, false);
	}

	private TestRedisson(Function<Config, BaseConfig<?>> servers, String namespace, Runnable end,
			boolean withoutRedisson) {
		this.servers = servers;
		this.namespace = namespace;
		this.end = end;
		this.withoutRedisson = withoutRedisson;
	}

	/**
	 * Engines on the same servers, by Lettuce, beside Redisson's clients.
	 */
	TestRedisson withoutRedisson() {
		return new TestRedisson(this.servers, this.namespace, this.end, true);
	}

	TestRedisson withoutRedisson(boolean without) {
		return without ? withoutRedisson() : this;
	}

	/** Clients of a server that ends with them. */
	static TestRedisson of(EmbeddedRedis server) {
		return new TestRedisson(at(server.host(), server.port()).servers, "", server::close);
	}

	/**
	 * Clients of the same servers that give up soon, for tests of what does not answer.
	 */
	TestRedisson impatient() {
		return new TestRedisson((config) -> this.servers.apply(config)
			.setTimeout(1000)
			.setConnectTimeout(1000)
			.setSubscriptionTimeout(3500)
			.setRetryAttempts(1)
			.setRetryDelay(new ConstantDelay(Duration.ofMillis(200))), this.namespace, () -> {
			}, this.withoutRedisson);
	}

	/**
	 * Clients of the same servers as the user of the documentation, with its prefix.
	 */
	TestRedisson asUser(String password) {
		return new TestRedisson((config) -> this.servers.apply(config.setUsername(RedisAcl.USER).setPassword(password)),
				"shop:lock:", () -> {
				}, this.withoutRedisson);
	}

	static TestRedisson at(String host, int port) {
		return at(host, port, (config) -> {
		});
	}

	static TestRedisson at(String host, int port, Consumer<Config> more) {
		return new TestRedisson((config) -> {
			more.accept(config);
			return config.useSingleServer().setAddress("redis://" + host + ":" + port).setConnectionMinimumIdleSize(1);
		}, "");
	}

	/**
	 * Clients of an embedded or a named server, with the prefix of the run.
	 */
	static TestRedisson of(RedisUnderTest server) {
		return new TestRedisson((config) -> connect(config, server.uri(), server.isCluster()), server.prefix());
	}

	private static BaseConfig<?> connect(Config config, RedisURI uri, boolean cluster) {
		RedisCredentials credentials = uri.getCredentialsProvider().resolveCredentials().toFuture().join();
		config.setUsername(credentials.getUsername());
		config.setPassword(credentials.hasPassword() ? String.valueOf(credentials.getPassword()) : null);
		config.setSslVerificationMode(SslVerificationMode.valueOf(switch (uri.getVerifyMode()) {
			case FULL -> "STRICT";
			case CA -> "CA_ONLY";
			case NONE -> "NONE";
		}));
		String address = (uri.isSsl() ? "rediss://" : "redis://") + uri.getHost() + ":" + uri.getPort();
		return cluster ? beFrugal(config.useClusterServers()).addNodeAddress(address)
				: config.useSingleServer()
					.setAddress(address)
					.setDatabase(uri.getDatabase())
					.setConnectionMinimumIdleSize(1);
	}

	static TestRedisson of(RedisSentinelSet set) {
		return new TestRedisson(
				(config) -> beFrugal(config.useSentinelServers()).setMasterName(RedisSentinelSet.MASTER_NAME)
					.setScanInterval(200)
					.addSentinelAddress(set.sentinelAddresses().stream().map(TestRedisson::url).toArray(String[]::new)),
				"", set::close);
	}

	static TestRedisson of(RedisCluster cluster) {
		return new TestRedisson(
				(config) -> beFrugal(config.useClusterServers()).setScanInterval(200)
					.addNodeAddress(cluster.addresses().stream().map(TestRedisson::url).toArray(String[]::new)),
				"", cluster::close);
	}

	/** Clients of a static master and its replica, which end after them. */
	static TestRedisson of(EmbeddedRedis master, EmbeddedRedis replica) {
		return new TestRedisson((config) -> beFrugal(config.useReplicatedServers())
			.addNodeAddress(url(master.host() + ":" + master.port()), url(replica.host() + ":" + replica.port())), "");
	}

	private static String url(String address) {
		return "redis://" + address;
	}

	private static <T extends BaseMasterSlaveServersConfig<T>> T beFrugal(T servers) {
		return servers.setReadMode(ReadMode.MASTER)
			.setSubscriptionMode(SubscriptionMode.MASTER)
			.setMasterConnectionMinimumIdleSize(1);
	}

	/**
	 * Another client, and an engine on it.
	 * @return the engine
	 */
	LockEngine node() {
		if (this.withoutRedisson) {
			return namespaced(new RedisLockEngine(factory(), ""), this.namespace);
		}
		RedissonClient client = client();
		LockEngine engine = namespaced(new RedissonLockEngine(() -> client, ""), this.namespace);
		this.clients.put(engine, client);
		return engine;
	}

	RedissonClient anyClient() {
		return this.clients.isEmpty() ? this.clients.computeIfAbsent(new LocalLockEngine(), (any) -> client())
				: this.clients.values().iterator().next();
	}

	/**
	 * The client of the engine, or one beside it.
	 */
	RedissonClient client(LockEngine engine) {
		return this.clients.computeIfAbsent(engine, (without) -> client());
	}

	/**
	 * A factory of Spring Data Redis for the same servers.
	 */
	LettuceConnectionFactory factory() {
		LettuceConnectionFactory factory = TestLettuce.factory(this.servers);
		this.factories.add(factory);
		return factory;
	}

	private RedissonClient client() {
		Config config = new Config();
		config.setLazyInitialization(true);
		config.setThreads(2);
		config.setNettyThreads(1);
		// The default needs Kryo, which is not here.
		config.setCodec(StringCodec.INSTANCE);
		BaseConfig<?> unused = this.servers.apply(config);
		return Redisson.create(config);
	}

	void close(LockEngine engine) {
		engine.close();
		RedissonClient client = this.clients.remove(engine);
		if (client != null) {
			client.shutdown();
		}
	}

	@Override
	public void close() {
		this.clients.values().forEach(RedissonClient::shutdown);
		this.factories.forEach(LettuceConnectionFactory::destroy);
		this.end.run();
	}

	/**
	 * An engine whose locks are named as those of an application are.
	 */
	static LockEngine namespaced(LockEngine engine, String namespace) {
		return ObservedDataSource.intercept(engine, (call) -> {
			Object[] arguments = call.getArguments();
			if (arguments.length > 0 && arguments[0] instanceof String name) {
				arguments[0] = namespace + name;
			}
			else if (arguments.length > 0 && arguments[0] instanceof LockRequest request) {
				arguments[0] = new LockRequest(namespace + request.name(), request.mode(), request.lease(),
						request.fair(), request.interruptible(), request.cancelled());
			}
			return call.proceed();
		});
	}

}
