package io.idempotent.ai.autoconfigure;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.idempotent.Idempotent;
import io.idempotent.support.AnnotatedClasses;
import io.idempotent.support.MethodAnnotations;
import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * An idempotent method that is a tool of Spring AI. The annotations are found by name,
 * because each of them may be missing.
 */
record ToolMethod(String bean, Class<?> type, Method method) {

	private static final String MCP_TOOL = "org.springframework.ai.mcp.annotation.McpTool";

	private static final String TOOL = "org.springframework.ai.tool.annotation.Tool";

	private static final List<String> TOOLS = List.of(MCP_TOOL, TOOL);

	private static final List<String> LIBRARIES = List.of("org.springframework.ai.", "io.modelcontextprotocol.");

	/** Of all beans, without creating one. */
	static List<ToolMethod> of(ConfigurableListableBeanFactory beans) {
		return Arrays.stream(beans.getBeanDefinitionNames()).flatMap((name) -> {
			Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
			return (type != null) ? of(name, type) : Stream.empty();
		}).toList();
	}

	static Stream<ToolMethod> of(String bean, Class<?> type) {
		Class<?> written = ClassUtils.getUserClass(type);
		return AnnotatedClasses.contain(written)
				? MethodIntrospector.selectMethods(written, (MethodFilter) (method) -> isTool(method, written))
					.stream()
					.map((method) -> new ToolMethod(bean, written, method))
				: Stream.empty();
	}

	static boolean isTool(Method method, Class<?> type) {
		return isTool(method) && MethodAnnotations.findOnNonPrivate(method, type, Idempotent.class) != null;
	}

	static boolean isTool(Method method) {
		MergedAnnotations annotations = annotations(method);
		return TOOLS.stream().anyMatch(annotations::isPresent);
	}

	private static MergedAnnotations annotations(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
	}

	/** As Spring AI names the tool. */
	@Nullable String mcpName() {
		return name(MCP_TOOL);
	}

	private @Nullable String name(String annotation) {
		MergedAnnotation<?> found = annotations(this.method).get(annotation);
		if (!found.isPresent()) {
			return null;
		}
		String name = found.getString("name");
		return name.isEmpty() ? this.method.getName() : name;
	}

	/**
	 * Spring AI calls the method of the class. A proxy of interfaces has no such method.
	 * For {@code @Tool}, access to it is asked for only if the class of the object is not
	 * public, and the class of a proxy always is.
	 */
	void requireCallable(ConfigurableListableBeanFactory beans) {
		Object created = beans.getSingleton(this.bean);
		if (created != null && AopUtils.isJdkDynamicProxy(created)) {
			throw notCallable(
					"the proxy of its bean '" + this.bean
							+ "' implements interfaces only, and Spring AI calls the method of the class",
					"Set spring.aop.proxy-target-class=true, which is the default of Spring Boot");
		}
		if (name(TOOL) != null && Modifier.isPublic(this.method.getModifiers())
				&& !Modifier.isPublic(this.method.getDeclaringClass().getModifiers())) {
			throw notCallable("its class is not public, and Spring AI does not make it accessible behind a proxy",
					"Declare " + this.method.getDeclaringClass().getName() + " public");
		}
	}

	private StartUpException notCallable(String reason, String action) {
		return new StartUpException("@Idempotent " + description() + " is a tool that cannot be called: " + reason,
				action, null);
	}

	String description() {
		return this.type.getSimpleName() + "." + this.method.getName();
	}

	/** What the model passes, by name: the parameters that Spring AI does not supply. */
	static Map<String, Object> arguments(Method method, @Nullable Object[] arguments) {
		Map<String, Object> found = new LinkedHashMap<>();
		Parameter[] parameters = method.getParameters();
		for (int i = 0; i < parameters.length; i++) {
			Object argument = arguments[i];
			if (argument != null && isArgument(parameters[i])) {
				found.put(parameters[i].getName(), argument);
			}
		}
		return found;
	}

	/** Supplied are types of the libraries, and what has one of their annotations. */
	private static boolean isArgument(Parameter parameter) {
		String type = parameter.getType().getName();
		return LIBRARIES.stream().noneMatch(type::startsWith) && !MergedAnnotations.from(parameter)
			.isPresent("org.springframework.ai.mcp.annotation.McpProgressToken");
	}

}
