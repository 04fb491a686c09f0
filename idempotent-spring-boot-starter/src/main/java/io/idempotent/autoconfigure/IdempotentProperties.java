package io.idempotent.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

/**
 * Properties of idempotency.
 */
@ConfigurationProperties("idempotent")
public class IdempotentProperties {

	/**
	 * Whether idempotency is switched on.
	 */
	private boolean enabled = true;

	/**
	 * Name of the application in every key, so that applications can share a store.
	 * Defaults to "spring.application.name", or "application" without one.
	 */
	private @Nullable String namespace;

	private final Defaults defaults = new Defaults();

	/**
	 * Settings of single operations, by operation name; they win over the annotation.
	 */
	private final Map<String, OperationProperties> operations = new LinkedHashMap<>();

	private final Store store = new Store();

	private final Token token = new Token();

	private final Web web = new Web();

	private final Wait wait = new Wait();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public @Nullable String getNamespace() {
		return this.namespace;
	}

	public void setNamespace(@Nullable String namespace) {
		this.namespace = namespace;
	}

	public Defaults getDefaults() {
		return this.defaults;
	}

	public Map<String, OperationProperties> getOperations() {
		return this.operations;
	}

	public Store getStore() {
		return this.store;
	}

	public Token getToken() {
		return this.token;
	}

	public Web getWeb() {
		return this.web;
	}

	public Wait getWait() {
		return this.wait;
	}

	/**
	 * What an annotation that leaves an attribute alone gets.
	 */
	public static class Defaults {

		/**
		 * Where the key comes from.
		 */
		private KeySource source = KeySource.TOKEN;

		/**
		 * How long a claim lives without renewal.
		 */
		private Duration lease = Duration.ofSeconds(30);

		/**
		 * How long a finished operation is remembered.
		 */
		private Duration retention = Duration.ofHours(24);

		/**
		 * How long a duplicate waits at most for a running operation.
		 */
		private Duration waitTimeout = Duration.ofSeconds(5);

		/**
		 * What a duplicate of a finished operation gets.
		 */
		private WhenCompleted whenCompleted = WhenCompleted.REPLAY;

		/**
		 * What a duplicate of a running operation gets.
		 */
		private WhenInProgress whenInProgress = WhenInProgress.REJECT;

		/**
		 * What happens after the owner of an operation fell silent.
		 */
		private WhenUnknown whenUnknown = WhenUnknown.RERUN;

		/**
		 * What becomes of the claim when the operation throws or answers 5xx.
		 */
		private WhenFailed whenFailed = WhenFailed.RELEASE;

		/**
		 * What a submission does while the store cannot be reached.
		 */
		private WhenStoreFails whenStoreFails = WhenStoreFails.REJECT;

		public KeySource getSource() {
			return this.source;
		}

		public void setSource(KeySource source) {
			this.source = source;
		}

		public Duration getLease() {
			return this.lease;
		}

		public void setLease(Duration lease) {
			this.lease = lease;
		}

		public Duration getRetention() {
			return this.retention;
		}

		public void setRetention(Duration retention) {
			this.retention = retention;
		}

		public Duration getWaitTimeout() {
			return this.waitTimeout;
		}

		public void setWaitTimeout(Duration waitTimeout) {
			this.waitTimeout = waitTimeout;
		}

		public WhenCompleted getWhenCompleted() {
			return this.whenCompleted;
		}

		public void setWhenCompleted(WhenCompleted whenCompleted) {
			this.whenCompleted = whenCompleted;
		}

		public WhenInProgress getWhenInProgress() {
			return this.whenInProgress;
		}

		public void setWhenInProgress(WhenInProgress whenInProgress) {
			this.whenInProgress = whenInProgress;
		}

		public WhenUnknown getWhenUnknown() {
			return this.whenUnknown;
		}

		public void setWhenUnknown(WhenUnknown whenUnknown) {
			this.whenUnknown = whenUnknown;
		}

		public WhenFailed getWhenFailed() {
			return this.whenFailed;
		}

		public void setWhenFailed(WhenFailed whenFailed) {
			this.whenFailed = whenFailed;
		}

		public WhenStoreFails getWhenStoreFails() {
			return this.whenStoreFails;
		}

		public void setWhenStoreFails(WhenStoreFails whenStoreFails) {
			this.whenStoreFails = whenStoreFails;
		}

	}

	/**
	 * Where records are kept.
	 */
	public static class Store {

		/**
		 * Which store keeps the records. The local one knows nothing of other nodes and
		 * is never chosen by itself.
		 */
		private StoreType type = StoreType.REDIS;

		private final Redis redis = new Redis();

		private final Local local = new Local();

		private final NearCache nearCache = new NearCache();

		public StoreType getType() {
			return this.type;
		}

		public void setType(StoreType type) {
			this.type = type;
		}

		public Redis getRedis() {
			return this.redis;
		}

		public Local getLocal() {
			return this.local;
		}

		public NearCache getNearCache() {
			return this.nearCache;
		}

	}

	/**
	 * Records in Redis.
	 */
	public static class Redis {

		/**
		 * What every key begins with.
		 */
		private String keyPrefix = "idem:";

		public String getKeyPrefix() {
			return this.keyPrefix;
		}

		public void setKeyPrefix(String keyPrefix) {
			this.keyPrefix = keyPrefix;
		}

	}

	/**
	 * Records in the memory of this JVM.
	 */
	public static class Local {

		/**
		 * How many records are kept at most; a further one is refused.
		 */
		private int maxRecords = 100_000;

		public int getMaxRecords() {
			return this.maxRecords;
		}

		public void setMaxRecords(int maxRecords) {
			this.maxRecords = maxRecords;
		}

	}

	/**
	 * Completed outcomes in the memory of this JVM, so that a duplicate costs no round
	 * trip.
	 */
	public static class NearCache {

		/**
		 * Whether completed outcomes are kept near by where Caffeine is on the class
		 * path.
		 */
		private boolean enabled = true;

		/**
		 * How much memory they may take.
		 */
		private DataSize maxSize = DataSize.ofMegabytes(16);

		/**
		 * How long an outcome is kept near by at most.
		 */
		private Duration maxAge = Duration.ofMinutes(10);

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

		public DataSize getMaxSize() {
			return this.maxSize;
		}

		public void setMaxSize(DataSize maxSize) {
			this.maxSize = maxSize;
		}

		public Duration getMaxAge() {
			return this.maxAge;
		}

		public void setMaxAge(Duration maxAge) {
			this.maxAge = maxAge;
		}

	}

	/**
	 * Form tokens.
	 */
	public static class Token {

		/**
		 * Whether the token endpoint is there.
		 */
		private boolean enabled = true;

		/**
		 * Path of the token endpoint.
		 */
		private String path = "/token";

		/**
		 * Header that carries a token.
		 */
		private String header = "Idempotent-Token";

		/**
		 * Form field that carries a token where the header is not there.
		 */
		private String parameter = "_idempotentToken";

		/**
		 * How long a token may be used for the first time.
		 */
		private Duration timeToLive = Duration.ofMinutes(10);

		/**
		 * How tokens are made: known to the store, or signed without a store.
		 */
		private TokenMode mode = TokenMode.STORED;

		private final Signing signing = new Signing();

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

		public String getPath() {
			return this.path;
		}

		public void setPath(String path) {
			this.path = path;
		}

		public String getHeader() {
			return this.header;
		}

		public void setHeader(String header) {
			this.header = header;
		}

		public String getParameter() {
			return this.parameter;
		}

		public void setParameter(String parameter) {
			this.parameter = parameter;
		}

		public Duration getTimeToLive() {
			return this.timeToLive;
		}

		public void setTimeToLive(Duration timeToLive) {
			this.timeToLive = timeToLive;
		}

		public TokenMode getMode() {
			return this.mode;
		}

		public void setMode(TokenMode mode) {
			this.mode = mode;
		}

		public Signing getSigning() {
			return this.signing;
		}

	}

	/**
	 * Signing of tokens.
	 */
	public static class Signing {

		/**
		 * Id of the key that signs.
		 */
		private @Nullable String activeKey;

		/**
		 * Secrets of all keys that are recognised, by their ids; at least 32 bytes each.
		 */
		private final Map<String, String> keys = new LinkedHashMap<>();

		public @Nullable String getActiveKey() {
			return this.activeKey;
		}

		public void setActiveKey(@Nullable String activeKey) {
			this.activeKey = activeKey;
		}

		public Map<String, String> getKeys() {
			return this.keys;
		}

	}

	/**
	 * HTTP.
	 */
	public static class Web {

		/**
		 * Header that carries a key of the caller's choice.
		 */
		private String keyHeader = "Idempotency-Key";

		/**
		 * Response header that marks a replayed answer.
		 */
		private String replayedHeader = "Idempotency-Replayed";

		/**
		 * Response headers that are stored and replayed, beside the content type.
		 */
		private List<String> replayHeaders = new ArrayList<>(
				List.of("Location", "ETag", "Last-Modified", "Cache-Control", "Expires", "Content-Language",
						"Content-Disposition", "Content-Encoding", "Content-Location", "Link", "Retry-After", "Vary"));

		/**
		 * How much of a request body is read for its fingerprint; a larger one is
		 * refused. Files of a multipart request do not count.
		 */
		private DataSize maxRequestBody = DataSize.ofMegabytes(1);

		/**
		 * How much of a response body is stored; of a larger one only is known that it
		 * was given.
		 */
		private DataSize maxResponseBody = DataSize.ofKilobytes(256);

		/**
		 * Whether a key belongs to the HTTP session as well as to the principal.
		 */
		private boolean bindToSession = false;

		/**
		 * Order of the filter.
		 */
		private int filterOrder = -50;

		public String getKeyHeader() {
			return this.keyHeader;
		}

		public void setKeyHeader(String keyHeader) {
			this.keyHeader = keyHeader;
		}

		public String getReplayedHeader() {
			return this.replayedHeader;
		}

		public void setReplayedHeader(String replayedHeader) {
			this.replayedHeader = replayedHeader;
		}

		public List<String> getReplayHeaders() {
			return this.replayHeaders;
		}

		public void setReplayHeaders(List<String> replayHeaders) {
			this.replayHeaders = replayHeaders;
		}

		public DataSize getMaxRequestBody() {
			return this.maxRequestBody;
		}

		public void setMaxRequestBody(DataSize maxRequestBody) {
			this.maxRequestBody = maxRequestBody;
		}

		public DataSize getMaxResponseBody() {
			return this.maxResponseBody;
		}

		public void setMaxResponseBody(DataSize maxResponseBody) {
			this.maxResponseBody = maxResponseBody;
		}

		public boolean isBindToSession() {
			return this.bindToSession;
		}

		public void setBindToSession(boolean bindToSession) {
			this.bindToSession = bindToSession;
		}

		public int getFilterOrder() {
			return this.filterOrder;
		}

		public void setFilterOrder(int filterOrder) {
			this.filterOrder = filterOrder;
		}

	}

	/**
	 * Waiting of duplicates.
	 */
	public static class Wait {

		/**
		 * How many requests may wait at a time; further ones are refused as in progress.
		 */
		private int maxWaiters = 50;

		public int getMaxWaiters() {
			return this.maxWaiters;
		}

		public void setMaxWaiters(int maxWaiters) {
			this.maxWaiters = maxWaiters;
		}

	}

	/**
	 * Where records are kept.
	 */
	public enum StoreType {

		/**
		 * The Redis of the application.
		 */
		REDIS,

		/**
		 * The memory of this JVM.
		 */
		LOCAL

	}

	/**
	 * How tokens are made.
	 */
	public enum TokenMode {

		/**
		 * Each token is written to the store.
		 */
		STORED,

		/**
		 * Tokens are signed, and written to the store when they are used.
		 */
		SIGNED

	}

}
