package io.idempotent.ui.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.idempotent.boot.settings.PropertyAssertions;
import io.idempotent.ui.autoconfigure.OperationsPage.Endpoint;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.util.DigestUtils;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/** Serves the page beside the actuator endpoints: same port, origin and security. */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnBooleanProperty(name = "idempotent.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("idempotent.ui.enabled")
@EnableConfigurationProperties(OperationsPageProperties.class)
@ImportRuntimeHints(OperationsPageConfiguration.Files.class)
final class OperationsPageConfiguration {

	private static final List<String> ENDPOINTS = List.of("idempotent", "idempotentsteps", "idempotentdetector",
			"locks", "metrics", "auditevents");

	private static final Set<String> WRITABLE = Set.of("idempotent", "idempotentsteps", "locks");

	/** After the controllers of the application, before static resources. */
	private static final int ORDER = 1;

	@Bean("io.idempotent.idempotentOperationsPageMapping")
	HandlerMapping idempotentOperationsPageMapping(OperationsPageProperties properties, PathMappedEndpoints paths,
			EndpointAccessResolver access) throws Exception {
		String path = properties.path();
		return new SimpleUrlHandlerMapping(
				Map.of(path, new OperationsPage(path, () -> endpoints(paths, access)), path + "/*", files()), ORDER);
	}

	@Bean("io.idempotent.idempotentOperationsPageCheck")
	SmartInitializingSingleton idempotentOperationsPageCheck(OperationsPageProperties properties,
			PathMappedEndpoints paths, Environment environment) {
		return () -> requireFreePath(properties.path(), paths, environment);
	}

	private static void requireFreePath(String path, PathMappedEndpoints paths, Environment environment) {
		Stream<String> own = (ManagementPortType.get(environment) == ManagementPortType.SAME)
				? Stream.of(environment.getProperty("idempotent.token.path", "/token"),
						environment.getProperty("idempotent.web.script.path", "/idempotent.js"))
				: Stream.empty();
		boolean taken = Stream.of(paths.getAllPaths().stream(), Stream.of(paths.getBasePath()), own)
			.flatMap(Function.identity())
			.anyMatch(path::equals);
		PropertyAssertions.that(!taken, OperationsPageProperties.PATH, path,
				"an actuator endpoint, the token endpoint or the script has this path",
				"Give another path, such as /operations");
	}

	private static ResourceHttpRequestHandler files() throws Exception {
		ResourceHttpRequestHandler files = new ResourceHttpRequestHandler();
		files.setLocations(List
			.of(new ClassPathResource("io/idempotent/ui/page/", OperationsPageConfiguration.class.getClassLoader())));
		// Reproducible builds give all files the same time.
		files.setUseLastModified(false);
		files.setEtagGenerator(OperationsPageConfiguration::etag);
		files.setCacheControl(CacheControl.noCache());
		files.afterPropertiesSet();
		return files;
	}

	private static String etag(Resource file) {
		try {
			return DigestUtils.md5DigestAsHex(file.getContentAsByteArray());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<Endpoint> endpoints(PathMappedEndpoints paths, EndpointAccessResolver access) {
		return ENDPOINTS.stream().map((name) -> {
			EndpointId id = EndpointId.of(name);
			String path = paths.getPath(id);
			boolean writable = path != null && WRITABLE.contains(name)
					&& access.accessFor(id, Access.READ_ONLY) == Access.UNRESTRICTED;
			return new Endpoint(name, path, writable);
		}).toList();
	}

	/** The files of the page, which a native image would not contain otherwise. */
	static final class Files implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern("io/idempotent/ui/index.html");
			hints.resources().registerPattern("io/idempotent/ui/page/*");
		}

	}

}
