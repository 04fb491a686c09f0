package io.idempotent.support;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the annotation of a bean method in the order in which Spring finds
 * {@code @Transactional}: on the method of the bean's class, on the class that declares
 * it, then on the method and the type through which it is called. Annotations are
 * inherited, and merged with their meta-annotations.
 */
public final class MethodAnnotations {

	private static final int NOT_OVERRIDABLE = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL;

	/** As text, since what they belong to may be missing. */
	private static final List<String> MAPPINGS = List.of("org.springframework.web.service.annotation.HttpExchange",
			"org.springframework.web.bind.annotation.RequestMapping", "feign.RequestLine");

	private MethodAnnotations() {
	}

	/**
	 * The class that an author wrote. The class of a JDK proxy or of a lambda has another
	 * name in each JVM: it is replaced by its interface with the method.
	 */
	public static Class<?> userClass(Method method, Class<?> type) {
		Class<?> user = ClassUtils.getUserClass(type);
		return !isGenerated(user) ? user
				: Stream.of(user.getInterfaces())
					.filter((each) -> AnnotatedClasses.contain(each)
							&& ClassUtils.hasMethod(each, method.getName(), method.getParameterTypes()))
					.findFirst()
					.orElse(method.getDeclaringClass());
	}

	/** The method of the {@link #userClass}, which has the names of the parameters. */
	public static Method specific(Method method, Class<?> type) {
		Method specific = AopUtils.getMostSpecificMethod(method, type);
		return isGenerated(specific.getDeclaringClass())
				? ClassUtils.getMostSpecificMethod(specific, userClass(method, type)) : specific;
	}

	private static boolean isGenerated(Class<?> type) {
		return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
	}

	public static <A extends Annotation> @Nullable A find(Method method, Class<?> type, Class<A> annotation) {
		Method specific = specific(method, type);
		A found = findOnMethodOrClass(specific, annotation);
		return (found != null || specific.equals(method)) ? found : findOnMethodOrClass(method, annotation);
	}

	/** An annotation of the class does not apply to a private method. */
	public static <A extends Annotation> @Nullable A findOnNonPrivate(Method method, Class<?> type,
			Class<A> annotation) {
		boolean isPrivate = Modifier.isPrivate(specific(method, type).getModifiers());
		A found = find(method, type, annotation);
		return (found == null || !isPrivate || !isOfClass(method, type, annotation)) ? found : null;
	}

	/** Fails the start if a subclass of the type cannot override the method. */
	public static void requireOverridable(Method method, Class<?> type, Class<? extends Annotation> annotation,
			String consequence) {
		int modifiers = method.getModifiers() & NOT_OVERRIDABLE;
		if (modifiers != 0) {
			String names = Modifier.toString(modifiers);
			throw notOverridable(method, annotation, names, consequence, "Remove '" + names + "' from the method"
					+ (Modifier.isFinal(modifiers) ? " (in Kotlin: declare it open, without @JvmOverloads)" : ""));
		}
		Class<?> bean = ClassUtils.getUserClass(type);
		if (isPackagePrivate(method) && !isInPackageOf(method.getDeclaringClass(), bean)
				&& !isOfClass(method, bean, annotation)) {
			throw notOverridable(method, annotation,
					"package-private, and its bean " + bean.getName() + " is in another package or class loader",
					consequence, "Declare the method protected or public");
		}
	}

	private static StartUpException notOverridable(Method method, Class<? extends Annotation> annotation, String reason,
			String consequence, String action) {
		return new StartUpException("@" + annotation.getSimpleName() + " " + method.getDeclaringClass().getSimpleName()
				+ "." + method.getName() + " is " + reason + ": no proxy can intercept its calls, so that "
				+ consequence, action, null);
	}

	private static boolean isPackagePrivate(Method method) {
		return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE)) == 0;
	}

	private static boolean isInPackageOf(Class<?> declaring, Class<?> type) {
		return declaring.getPackageName().equals(type.getPackageName())
				&& declaring.getClassLoader() == type.getClassLoader();
	}

	/**
	 * Whether a bean calls another application by the method, as clients of
	 * {@code @HttpExchange} and of Feign and their stand-ins do: an interface maps it to
	 * HTTP, and the bean is no controller. What an interface shared with the server is
	 * annotated with is meant for the server.
	 */
	public static boolean isOfClient(Method method, Class<?> type) {
		if (AnnotatedElementUtils.hasAnnotation(type, Controller.class)) {
			return false;
		}
		Method specific = AopUtils.getMostSpecificMethod(method, type);
		// The class of a mock repeats the annotations of the interface.
		return Stream.of(method, specific, ClassUtils.getInterfaceMethodIfPossible(specific, type))
			.anyMatch(MethodAnnotations::isMapped);
	}

	/**
	 * Whether a method has the annotation, and its bean is no {@link #isOfClient client}.
	 */
	public static boolean isOfServer(Method method, Class<?> type, Class<? extends Annotation> annotation) {
		return find(method, type, annotation) != null && !isOfClient(method, type);
	}

	private static boolean isMapped(Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return MAPPINGS.stream()
			.anyMatch((mapping) -> annotations.get(mapping).getSource() instanceof Method source
					&& source.getDeclaringClass().isInterface());
	}

	public static boolean isOfClass(Method method, Class<?> type, Class<? extends Annotation> annotation) {
		return !AnnotatedElementUtils.hasAnnotation(specific(method, type), annotation)
				&& !AnnotatedElementUtils.hasAnnotation(method, annotation);
	}

	private static <A extends Annotation> @Nullable A findOnMethodOrClass(Method method, Class<A> annotation) {
		A found = AnnotatedElementUtils.findMergedAnnotation(method, annotation);
		return (found == null && mayHaveThatOfClass(method))
				? AnnotatedElementUtils.findMergedAnnotation(method.getDeclaringClass(), annotation) : found;
	}

	/** Methods that the compiler has added, and those of {@link Object}, have none. */
	private static boolean mayHaveThatOfClass(Method method) {
		return ClassUtils.isUserLevelMethod(method) && !ReflectionUtils.isObjectMethod(method);
	}

}
