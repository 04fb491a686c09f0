package io.idempotent.method;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;
import io.idempotent.WhenCompleted;
import io.idempotent.method.internal.call.CallExecutor;
import io.idempotent.method.internal.call.CallOperation;
import io.idempotent.submission.SubmissionContext;
import io.idempotent.submission.policy.DeclaredPolicy;
import io.idempotent.submission.policy.OperationPolicy;
import io.idempotent.support.AsyncReturnTypes;
import io.idempotent.support.KeyExpression;
import io.idempotent.support.MethodAnnotations;
import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * The bean methods that take effect once. Each is checked at start-up, when its bean is
 * created.
 */
public final class IdempotentMethods {

	private static final String MESSAGE_MAPPING = "org.springframework.messaging.handler.annotation.MessageMapping";

	private static final String TRANSACTIONAL_EVENT = "org.springframework.transaction.event.TransactionalEventListener";

	/** A method of gRPC returns nothing, and answers at any time. */
	private static final Set<String> OBSERVERS = Set.of("io.grpc.stub.StreamObserver");

	/** Of Kafka, Pulsar and SQS. */
	private static final Set<String> ACKNOWLEDGMENTS = Set.of("org.springframework.kafka.support.Acknowledgment",
			"org.springframework.pulsar.listener.Acknowledgement",
			"io.awspring.cloud.sqs.listener.acknowledgement.Acknowledgement",
			"io.awspring.cloud.sqs.listener.acknowledgement.BatchAcknowledgement");

	private final CallExecutor calls;

	private final OperationNames names;

	private final BeanFactory beans;

	private final ConcurrentMap<MethodClassKey, IdempotentMethod> methods = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, BiConsumer<SubmissionContext, @Nullable Object[]>> entered = new ConcurrentHashMap<>();

	public IdempotentMethods(CallExecutor calls, OperationNames names, BeanFactory beans) {
		this.calls = calls;
		this.names = names;
		this.beans = beans;
	}

	/**
	 * Returns the policy of the operation; throws a {@link StartUpException} if the
	 * annotation is invalid.
	 */
	public OperationPolicy check(Method method, Class<?> type) {
		return of(method, type).operation().policy();
	}

	/** The operations checked so far that are replayed by a key of the caller. */
	public SortedSet<String> replayedByKey() {
		return this.methods.values()
			.stream()
			.filter((method) -> method.key().isOfCaller()
					&& method.operation().policy().whenCompleted() == WhenCompleted.REPLAY)
			.map((method) -> method.operation().name())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** The listener gets the arguments before the method could change them. */
	public void whenEntered(String operation, BiConsumer<SubmissionContext, @Nullable Object[]> listener) {
		this.entered.put(operation, listener);
	}

	void entered(SubmissionContext context, @Nullable Object[] arguments) {
		BiConsumer<SubmissionContext, @Nullable Object[]> listener = this.entered.get(context.operation());
		if (listener != null) {
			listener.accept(context, arguments);
		}
	}

	/** The methods that were read so far. */
	public List<Described> known() {
		return this.methods.values()
			.stream()
			.map((method) -> new Described(method.operation().name(), method.key().text(), method.key().isOfCaller(),
					method.declared()))
			.toList();
	}

	CallExecutor calls() {
		return this.calls;
	}

	/** Read outside of the map: beans that are created then may call such a method. */
	IdempotentMethod of(Method method, Class<?> type) {
		MethodClassKey key = new MethodClassKey(method, type);
		IdempotentMethod known = this.methods.get(key);
		return (known != null) ? known : this.methods.merge(key, read(method, type), (first, again) -> first);
	}

	private IdempotentMethod read(Method method, Class<?> type) {
		Class<?> written = MethodAnnotations.userClass(method, type);
		Method specific = MethodAnnotations.specific(method, type);
		Idempotent annotation = MethodAnnotations.findOnNonPrivate(method, written, Idempotent.class);
		if (annotation == null) {
			throw new IllegalStateException(specific + " is not @Idempotent");
		}
		try {
			rejectUnsuitable(specific, written);
			return read(annotation, specific, written);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(specific, written, "cannot work: " + ex.getMessage(),
					"Correct the annotation, its property or the method", ex);
		}
	}

	private IdempotentMethod read(Idempotent annotation, Method method, Class<?> type) {
		boolean listens = isListener(method);
		if (listens && acknowledgesByHand(method, type)) {
			throw new IllegalArgumentException("it acknowledges its messages by hand, but does not run for a repeat, "
					+ "which nothing would acknowledge: let the container acknowledge them, as Kafka's ack-mode batch "
					+ "and @RabbitListener(ackMode = \"AUTO\") do, or annotate a method of another bean that this one "
					+ "calls");
		}
		if (listens && method.getReturnType().isPrimitive() && method.getReturnType() != void.class) {
			throw new IllegalArgumentException("it returns " + method.getReturnType() + ", but the duplicate of a "
					+ "message is acknowledged without a result: return nothing or an object");
		}
		MethodKey key = key(annotation, method);
		Type result = GenericTypeResolver.resolveType(method.getGenericReturnType(), type);
		DeclaredPolicy declared = DeclaredPolicy.of(annotation, listens);
		CallOperation operation = this.calls.operations().operation(name(annotation, method, type), declared, result);
		requireOwnName(operation.name(), method, type);
		KeyExpression comparison = optional("comparison", annotation.compare(), method);
		KeyExpression condition = optional("condition", annotation.condition(), method);
		String recoverer = this.calls.operations().resolve(annotation.recoverer());
		return recoverer.isEmpty() ? new IdempotentMethod(operation, declared, key, comparison, condition, null)
				: new IdempotentMethod(operation.recovering(), declared, key, comparison, condition,
						ResultRecovery.of(this.beans, recoverer, method, operation.name()));
	}

	/**
	 * Listeners of Kafka, RabbitMQ, JMS and others, and of Spring Modulith, which
	 * delivers an event again until its listener has returned.
	 */
	static boolean isListener(Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return annotations.isPresent(MESSAGE_MAPPING) || annotations.isPresent(TRANSACTIONAL_EVENT);
	}

	/**
	 * A channel of RabbitMQ may serve other purposes where its container acknowledges. An
	 * annotation of the class counts for {@code @RabbitHandler} methods.
	 */
	private static boolean acknowledgesByHand(Method method, Class<?> type) {
		boolean automatic = Stream.of(method, type)
			.map((annotated) -> MergedAnnotations.from(annotated, SearchStrategy.TYPE_HIERARCHY))
			.flatMap((annotations) -> annotations.stream("org.springframework.amqp.rabbit.annotation.RabbitListener"))
			.findFirst()
			.flatMap((listener) -> listener.getValue("ackMode"))
			.filter("AUTO"::equals)
			.isPresent();
		return hasParameter(method, ACKNOWLEDGMENTS)
				|| (!automatic && hasParameter(method, Set.of("com.rabbitmq.client.Channel")));
	}

	private static boolean hasParameter(Method method, Set<String> types) {
		return Arrays.stream(method.getParameterTypes()).anyMatch((type) -> types.contains(type.getName()));
	}

	private static void rejectUnsuitable(Method method, Class<?> type) {
		if (MethodAnnotations.find(method, type, ApiIdempotent.class) != null) {
			throw new IllegalArgumentException(
					"it is @ApiIdempotent as well, which does the same for requests: choose one of the two");
		}
		if (AsyncReturnTypes.isSuspending(method)) {
			throw new IllegalArgumentException("it is a suspend function, which goes on on other threads after it has "
					+ "returned, so that it would be recorded before the work is done: annotate a function that is not "
					+ "suspending and does the work, for example within runBlocking");
		}
		if (hasParameter(method, OBSERVERS)) {
			throw new IllegalArgumentException(
					"it answers a StreamObserver of gRPC, which a repeat would never hear of: "
							+ "annotate the method of another bean that does the work and returns the answer");
		}
	}

	private @Nullable KeyExpression optional(String purpose, String text, Method method) {
		return KeyExpression.parseOptional(purpose, this.calls.operations().resolve(text), method);
	}

	private MethodKey key(Idempotent annotation, Method method) {
		String key = this.calls.operations().resolve(annotation.key());
		return key.isEmpty() ? identity(method) : new MethodKey.OfExpression(KeyExpression.parse(key, method));
	}

	private MethodKey identity(Method method) {
		List<MessageIdentity> identities = this.beans.getBeanProvider(MessageIdentity.class)
			.orderedStream()
			.filter((identity) -> identity.supports(method))
			.toList();
		if (identities.isEmpty()) {
			throw new IllegalArgumentException("it has no key, so that all of its calls would be one operation: "
					+ "name what tells them apart, as in key = \"#order.id\", or take the argument that has an identity: "
					+ "a listener the message, such as Message<Order> instead of Order, or a tool the metadata of its "
					+ "request, such as McpMeta, if a module for tools is on the class path");
		}
		return new MethodKey.OfMessage(method, identities);
	}

	private String name(Idempotent annotation, Method method, Class<?> type) {
		String name = this.calls.operations().resolve(annotation.name());
		boolean ofClass = MethodAnnotations.isOfClass(method, type, Idempotent.class);
		return (name.isEmpty() || ofClass) ? (name.isEmpty() ? type.getSimpleName() : name) + "." + method.getName()
				: name;
	}

	private void requireOwnName(String name, Method method, Class<?> type) {
		Object namesake = this.names.take(name, new MethodClassKey(method, type));
		if (namesake != null) {
			throw invalid(method, type, "has the name '" + name + "', which belongs to " + namesake + " already",
					"Give one of them another name: @Idempotent(name = \"…\")", null);
		}
	}

	private static StartUpException invalid(Method method, Class<?> type, String problem, String action,
			@Nullable Throwable cause) {
		return new StartUpException("@Idempotent " + type.getSimpleName() + "." + method.getName() + " " + problem,
				action, cause);
	}

	/**
	 * A method as operators see it. Its key is that of an expression, or of a message,
	 * which may belong to the caller who sent it.
	 */
	public record Described(String operation, @Nullable String expression, boolean ofCaller, DeclaredPolicy declared) {
	}

	/**
	 * A method that takes effect once. Without a condition, its annotation always
	 * applies; without a comparison, calls with the same key are the same; the recoverer
	 * rebuilds a result that was not stored.
	 */
	record IdempotentMethod(CallOperation operation, DeclaredPolicy declared, MethodKey key,
			@Nullable KeyExpression comparison, @Nullable KeyExpression condition, @Nullable ResultRecovery recoverer) {

		boolean appliesTo(@Nullable Object[] arguments) {
			return this.condition == null
					|| this.condition.decide("operation '" + this.operation.name() + "'", arguments);
		}

	}

}
