package io.idempotent.boot;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.idempotent.KeySource;
import io.idempotent.WhenCompleted;
import io.idempotent.WhenFailed;
import io.idempotent.WhenInProgress;
import io.idempotent.WhenStoreFails;
import io.idempotent.WhenUnknown;
import io.idempotent.engine.ClaimRetry;
import io.idempotent.logging.DurationText;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.unit.DataSize;

/**
 * Properties of idempotency. Once they are bound they can work: each group refuses what
 * cannot. Those of single operations are in {@link OperationSettings}.
 *
 * @param enabled Whether the library is switched on. If not, nothing is protected:
 * idempotency, distributed locks, fences and receipts are all off, and their annotations
 * have no effect.
 * @param namespace Name of the application in every key, so that applications can share a
 * store. Defaults to "spring.application.name", or "application" without one.
 * @param defaults What an annotation that leaves an attribute alone gets.
 * @param store Where records are kept.
 * @param token Form tokens.
 * @param web HTTP.
 * @param call Methods of beans, and code that is run by a template.
 * @param waiting Waiting of duplicates.
 */
@ConfigurationProperties("idempotent")
record IdempotentProperties(@DefaultValue("true") boolean enabled, @Nullable String namespace,
		@DefaultValue Defaults defaults, @DefaultValue Store store, @DefaultValue Token token, @DefaultValue Web web,
		@DefaultValue Call call, @Name("wait") @DefaultValue Wait waiting) {

	/**
	 * What an annotation that leaves an attribute alone gets.
	 *
	 * @param source Where the key comes from.
	 * @param ignoredFields Fields of requests that do not count when contents are
	 * compared. The fields of the form token and of the CSRF token never count.
	 * @param lease How long a claim lives without renewal.
	 * @param retention How long a finished operation is remembered.
	 * @param waitTimeout How long a duplicate waits at most for a running operation.
	 * @param whenCompleted What a duplicate of a finished operation gets.
	 * @param whenInProgress What a duplicate of a running operation gets.
	 * @param whenUnknown What happens after the owner of an operation stopped renewing
	 * its claim.
	 * @param whenFailed What happens to the claim when the operation throws or answers
	 * 5xx.
	 * @param whenStoreFails What a submission does while the store cannot be reached.
	 * @param replayErrors Errors of handler methods that are recorded and replayed, by
	 * their status: 409, 4xx, 5xx.
	 */
	record Defaults(@DefaultValue("token") KeySource source, @DefaultValue List<String> ignoredFields,
			@DefaultValue("30s") Duration lease, @DefaultValue("24h") Duration retention,
			@DefaultValue("5s") Duration waitTimeout, @DefaultValue("replay") WhenCompleted whenCompleted,
			@DefaultValue("reject") WhenInProgress whenInProgress, @DefaultValue("rerun") WhenUnknown whenUnknown,
			@DefaultValue("release") WhenFailed whenFailed, @DefaultValue("reject") WhenStoreFails whenStoreFails,
			@DefaultValue List<String> replayErrors) {

		Defaults {
			PropertyAssertions.decided("idempotent.defaults.source", source, KeySource.DEFAULT);
			PropertyAssertions.positive("idempotent.defaults.lease", lease);
			PropertyAssertions.lease("idempotent.defaults.lease", lease);
			PropertyAssertions.positive("idempotent.defaults.retention", retention);
			PropertyAssertions.positive("idempotent.defaults.wait-timeout", waitTimeout);
			PropertyAssertions.atMostAYear("idempotent.defaults.lease", lease);
			PropertyAssertions.atMostAYear("idempotent.defaults.wait-timeout", waitTimeout);
			PropertyAssertions.that(retention.compareTo(lease) >= 0, "idempotent.defaults.retention", retention,
					"it is shorter than idempotent.defaults.lease (" + DurationText.of(lease)
							+ "), so that an unknown outcome could not be distinguished from an operation that never ran",
					"Make it at least as long as the lease, or the lease shorter");
			PropertyAssertions.decided("idempotent.defaults.when-completed", whenCompleted, WhenCompleted.DEFAULT);
			PropertyAssertions.decided("idempotent.defaults.when-in-progress", whenInProgress, WhenInProgress.DEFAULT);
			PropertyAssertions.decided("idempotent.defaults.when-unknown", whenUnknown, WhenUnknown.DEFAULT);
			PropertyAssertions.decided("idempotent.defaults.when-failed", whenFailed, WhenFailed.DEFAULT);
			PropertyAssertions.decided("idempotent.defaults.when-store-fails", whenStoreFails, WhenStoreFails.DEFAULT);
			PropertyAssertions.errorStatuses("idempotent.defaults.replay-errors", replayErrors);
		}

	}

	/**
	 * Where records are kept.
	 *
	 * @param type Which store keeps the records. The local one knows nothing of other
	 * nodes and is never chosen by itself.
	 * @param requiredAtStart Whether the application does not start while the store does
	 * not work. Otherwise that is logged, and submissions are refused until it does.
	 * @param claimRetry Repetition of claims that the store did not answer.
	 * @param redis Records in Redis.
	 * @param jdbc Records in a database.
	 * @param local Records in the memory of this JVM.
	 * @param nearCache Completed outcomes in the memory of this JVM, so that a duplicate
	 * costs no round trip.
	 */
	record Store(@DefaultValue("redis") StoreType type, @DefaultValue("false") boolean requiredAtStart,
			@DefaultValue Retry claimRetry, @DefaultValue Redis redis, @DefaultValue Jdbc jdbc,
			@DefaultValue Local local, @DefaultValue NearCache nearCache) {
	}

	/**
	 * Repetition of claims that the store did not answer.
	 *
	 * @param maxRetries How often a claim is repeated at most. The first repeat follows
	 * at once.
	 * @param delay How long each repeat after the first waits.
	 * @param timeout How long after the first repeat a further one may still begin.
	 */
	record Retry(@DefaultValue("1") int maxRetries, @DefaultValue("100ms") Duration delay,
			@DefaultValue("2s") Duration timeout) {

		Retry {
			PropertyAssertions.that(maxRetries >= 1, "idempotent.store.claim-retry.max-retries", maxRetries,
					"the first repeat reads back a claim whose reply was lost", "Give at least 1");
			PropertyAssertions.that(!delay.isNegative(), "idempotent.store.claim-retry.delay", delay,
					"it must not be negative", "Give a time such as 100ms, or 0");
			PropertyAssertions.that(timeout.toMillis() > 0, "idempotent.store.claim-retry.timeout", timeout,
					"it is less than a millisecond", "Give a time such as 2s");
		}

		ClaimRetry toRetry() {
			return new ClaimRetry(this.maxRetries, this.delay, this.timeout);
		}

	}

	/**
	 * Records in Redis.
	 *
	 * @param keyPrefix What every key in Redis begins with.
	 * @param timeout How long a call of the store may take, where the client is Lettuce.
	 * A shorter "spring.data.redis.timeout" wins; other clients know only that.
	 */
	record Redis(@DefaultValue("idem:") String keyPrefix, @DefaultValue("2s") Duration timeout) {

		Redis {
			PropertyAssertions.positive("idempotent.store.redis.timeout", timeout);
		}

	}

	/**
	 * Records in a database.
	 *
	 * @param table Name of the table of records.
	 * @param initializeSchema When the table of records is created at start-up, under its
	 * default name.
	 * @param queryTimeout How long a statement may take.
	 */
	record Jdbc(@DefaultValue("idempotent_record") String table,
			@DefaultValue("embedded") InitializeSchema initializeSchema, @DefaultValue("5s") Duration queryTimeout) {

		Jdbc {
			PropertyAssertions.tableName("idempotent.store.jdbc.table", table);
			PropertyAssertions.that(queryTimeout.toSeconds() >= 1, "idempotent.store.jdbc.query-timeout", queryTimeout,
					"databases count whole seconds", "Give at least 1s");
		}

	}

	/**
	 * Records in the memory of this JVM.
	 *
	 * @param maxRecords How many records are kept at most; a further one is refused.
	 */
	record Local(@DefaultValue("100000") int maxRecords) {

		Local {
			PropertyAssertions.that(maxRecords > 0, "idempotent.store.local.max-records", maxRecords,
					"it must be at least 1", "Give the number of operations within one retention");
		}

	}

	/**
	 * Completed outcomes in the memory of this JVM, so that a duplicate costs no round
	 * trip.
	 *
	 * @param enabled Whether completed outcomes are kept near by where Caffeine is on the
	 * class path.
	 * @param maxSize How much memory the outcomes near by may take.
	 * @param maxAge How long an outcome is kept near by at most.
	 */
	record NearCache(@DefaultValue("true") boolean enabled, @DefaultValue("16MB") DataSize maxSize,
			@DefaultValue("10m") Duration maxAge) {

		private static final String OFF = "Give %s, or switch the cache off: idempotent.store.near-cache.enabled=false";

		NearCache {
			PropertyAssertions.that(maxSize.toBytes() > 0, "idempotent.store.near-cache.max-size", maxSize,
					"it must be positive", OFF.formatted("a size such as 16MB"));
			PropertyAssertions.that(PropertyAssertions.isPositive(maxAge), "idempotent.store.near-cache.max-age",
					maxAge, "it must be positive", OFF.formatted("a time such as 10m"));
		}

	}

	/**
	 * Form tokens.
	 *
	 * @param enabled Whether there is an endpoint that issues tokens.
	 * @param path Path of the token endpoint.
	 * @param header Header that carries a token.
	 * @param parameter Form field that carries a token where the header is not there.
	 * @param timeToLive How long a token may be used for the first time.
	 * @param mode How tokens are made: known to the store, or signed without a store.
	 * @param signing Signing of tokens.
	 */
	record Token(@DefaultValue("true") boolean enabled, @DefaultValue("/token") String path,
			@DefaultValue("Idempotent-Token") String header, @DefaultValue("_idempotentToken") String parameter,
			@DefaultValue("10m") Duration timeToLive, @DefaultValue("stored") TokenMode mode,
			@DefaultValue Signing signing) {

		Token {
			PropertyAssertions.that(path.startsWith("/"), "idempotent.token.path", path, "it must begin with a slash",
					"Give a path such as /token, or switch the endpoint off: idempotent.token.enabled=false");
			PropertyAssertions.headerName("idempotent.token.header", header);
			PropertyAssertions.that(!parameter.isBlank(), "idempotent.token.parameter", parameter,
					"it must not be empty", "Give a name such as _idempotentToken");
			PropertyAssertions.positive("idempotent.token.time-to-live", timeToLive);
			if (mode == TokenMode.SIGNED) {
				signing.requireSecrets();
			}
		}

	}

	/**
	 * Signing of tokens.
	 *
	 * @param activeKey Id of the key that signs.
	 * @param keys Secrets of all keys that are recognised, by their ids; at least 32
	 * bytes each.
	 */
	record Signing(@Nullable String activeKey, @DefaultValue Map<String, String> keys) {

		private static final String KEYS = "idempotent.token.signing.keys";

		private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9_-]{1,32}");

		private static final int SHORTEST_SECRET = 32;

		void requireSecrets() {
			if (this.activeKey == null) {
				throw new InvalidConfigurationException("idempotent.token.mode", "signed",
						"there is no key to sign with", "Set " + KEYS + ".<id> to a random secret of at least "
								+ SHORTEST_SECRET + " bytes, and idempotent.token.signing.active-key to its id");
			}
			this.keys.forEach(Signing::requireSecret);
			PropertyAssertions.that(this.keys.containsKey(this.activeKey), "idempotent.token.signing.active-key",
					this.activeKey, "there is no secret " + KEYS + "." + this.activeKey,
					"Set it to a random secret of at least " + SHORTEST_SECRET + " bytes, or name one of the keys "
							+ this.keys.keySet());
		}

		private static void requireSecret(String id, String secret) {
			PropertyAssertions.that(KEY_ID.matcher(id).matches(), KEYS, id,
					"the id of a key is 1 to 32 letters, digits, '-' or '_'", "Rename the key");
			int bytes = secret.getBytes(StandardCharsets.UTF_8).length;
			PropertyAssertions.that(bytes >= SHORTEST_SECRET, KEYS + "." + id, "(not shown)",
					"the secret has " + bytes + " bytes, and HMAC-SHA256 needs at least " + SHORTEST_SECRET,
					"Use a longer random secret, such as the output of: openssl rand -base64 32");
		}

		/**
		 * Tells no secret.
		 */
		@Override
		public String toString() {
			return "Signing[activeKey=" + this.activeKey + ", keys=" + this.keys.keySet() + "]";
		}

	}

	/**
	 * HTTP.
	 *
	 * @param keyHeader Header that carries a key of the caller's choice.
	 * @param replayedHeader Response header that marks a replayed answer.
	 * @param replayHeaders Response headers of the operation that are stored and
	 * replayed, beside the content type. All by default; cookies, authentication and what
	 * belongs to one connection never are.
	 * @param maxRequestBody How much of a request body is read for its fingerprint; a
	 * larger one is refused. Files of a multipart request do not count.
	 * @param maxRequestTokens How many values, names and brackets a JSON body may have;
	 * one that has more is refused.
	 * @param maxResponseBody How much of a response body is stored; of a larger one only
	 * is known that it was given.
	 * @param bindToSession Whether a key belongs to the HTTP session as well as to the
	 * caller.
	 * @param problemBase What the type of a problem begins with, before its code. With
	 * the URL of your documentation each refusal also has a "Link" header to it.
	 * @param filterOrder Order of the filter. Spring Security's stands at -100 and must
	 * come first.
	 * @param drainTime How long an application that stops goes on answering while it asks
	 * its clients to close their connections, before the web server closes its port.
	 */
	record Web(@DefaultValue("Idempotency-Key") String keyHeader,
			@DefaultValue("Idempotency-Replayed") String replayedHeader, @DefaultValue("*") List<String> replayHeaders,
			@DefaultValue("1MB") DataSize maxRequestBody, @DefaultValue("200000") long maxRequestTokens,
			@DefaultValue("256KB") DataSize maxResponseBody, @DefaultValue("false") boolean bindToSession,
			@DefaultValue("urn:idempotent:problem:") String problemBase, @DefaultValue("-50") int filterOrder,
			@DefaultValue("0s") Duration drainTime) {

		Web {
			PropertyAssertions.headerName("idempotent.web.key-header", keyHeader);
			PropertyAssertions.headerName("idempotent.web.replayed-header", replayedHeader);
			replayHeaders.forEach((header) -> PropertyAssertions.headerName("idempotent.web.replay-headers", header));
			PropertyAssertions.that(!drainTime.isNegative(), "idempotent.web.drain-time", drainTime,
					"it must not be negative", "Give a time such as 2s, or 0 to close the port at once");
			PropertyAssertions.fitsInMemory("idempotent.web.max-request-body", maxRequestBody);
			PropertyAssertions.that(maxRequestTokens > 0, "idempotent.web.max-request-tokens", maxRequestTokens,
					"it must be at least 1", "Give the number of values that a request may have, such as 200000");
			PropertyAssertions.fitsInMemory("idempotent.web.max-response-body", maxResponseBody);
			PropertyAssertions.uriPrefix("idempotent.web.problem-base", problemBase);
		}

	}

	/**
	 * Methods of beans, and code that is run by a template.
	 *
	 * @param maxResult How much of a result is stored, as JSON; of a larger one only is
	 * known that it was returned.
	 */
	record Call(@DefaultValue("256KB") DataSize maxResult) {

		Call {
			PropertyAssertions.fitsInMemory("idempotent.call.max-result", maxResult);
		}

	}

	/**
	 * Waiting of duplicates.
	 *
	 * @param maxWaiters How many submissions may wait at a time; further ones are refused
	 * as in progress.
	 */
	record Wait(@DefaultValue("50") int maxWaiters) {

		Wait {
			PropertyAssertions.that(maxWaiters >= 0, "idempotent.wait.max-waiters", maxWaiters,
					"it must not be negative", "Give 0 to let nobody wait");
		}

	}

	/**
	 * Where records are kept.
	 */
	enum StoreType {

		/**
		 * The Redis of the application.
		 */
		REDIS,

		/**
		 * The database of the application.
		 */
		JDBC,

		/**
		 * The memory of this JVM.
		 */
		LOCAL

	}

	/**
	 * How tokens are made.
	 */
	enum TokenMode {

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
