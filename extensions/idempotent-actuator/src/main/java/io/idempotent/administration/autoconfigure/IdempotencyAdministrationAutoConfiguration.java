package io.idempotent.administration.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import io.idempotent.administration.IdempotencyAdministration;
import io.idempotent.administration.Intervention;
import io.idempotent.boot.IdempotencyAutoConfiguration;
import io.idempotent.boot.IdempotencyCallAutoConfiguration;
import io.idempotent.boot.IdempotencyWebMvcAutoConfiguration;
import io.idempotent.boot.internal.store.StoreTypes;
import io.idempotent.boot.settings.Namespace;
import io.idempotent.boot.settings.NodeName;
import io.idempotent.method.DefaultIdempotencyTemplate;
import io.idempotent.method.IdempotentBatches;
import io.idempotent.method.IdempotentMethods;
import io.idempotent.store.IdempotencyStore;
import io.idempotent.submission.IdempotencyGate;
import io.idempotent.submission.policy.OperationPolicies;
import io.idempotent.submission.receipt.Receipts;
import io.idempotent.webmvc.internal.HttpIdempotency;
import jakarta.servlet.ServletContext;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Auto-configuration for the administration of operations: its bean, the endpoint
 * {@code idempotent}, and audit events of operators.
 */
@AutoConfiguration(after = { IdempotencyAutoConfiguration.class, IdempotencyWebMvcAutoConfiguration.class,
		IdempotencyCallAutoConfiguration.class })
@ConditionalOnClass(IdempotencyGate.class)
@ConditionalOnBean(IdempotencyGate.class)
@ConditionalOnSingleCandidate(IdempotencyStore.class)
public final class IdempotencyAdministrationAutoConfiguration {

	@Bean("io.idempotent.idempotencyAdministration")
	@ConditionalOnMissingBean
	IdempotencyAdministration idempotencyAdministration(IdempotencyGate gate, IdempotencyStore store,
			ObjectProvider<Receipts> receipts, Environment environment, ApplicationEventPublisher events) {
		return new IdempotencyAdministration(gate, store, receipts.getIfAvailable(), Namespace.in(environment),
				events::publishEvent);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
	@ConditionalOnAvailableEndpoint(IdempotentEndpoint.class)
	@EnableConfigurationProperties(IdempotentEndpointProperties.class)
	@RegisterReflectionForBinding({ Responses.Summary.class, Responses.UnknownBody.class, Responses.RecordBody.class,
			Responses.ErrorBody.class })
	static class EndpointConfiguration {

		@Bean("io.idempotent.idempotentEndpoint")
		@ConditionalOnMissingBean
		IdempotentEndpoint idempotentEndpoint(IdempotencyAdministration administration,
				ObjectProvider<OperationCatalog> catalogs, OperationPolicies policies,
				IdempotentEndpointProperties properties, ConfigurableEnvironment environment,
				ObjectProvider<IdempotencyStore> store) {
			OperationDirectory directory = new OperationDirectory(catalogs.orderedStream().toList(),
					new PolicySettings(policies, environment)::of, administration);
			String node = NodeName.in(environment);
			return new IdempotentEndpoint(administration, directory, new RecordBodies(directory, node, properties),
					Namespace.in(environment), node, store.stream().map(StoreTypes::of).findFirst().orElse("none"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
	@ConditionalOnAvailableEndpoint(IdempotentEndpoint.class)
	@ConditionalOnBean(IdempotentMethods.class)
	static class CallCatalogConfiguration {

		@Bean("io.idempotent.idempotencyCallCatalog")
		@Order(2)
		CallCatalog idempotencyCallCatalog(IdempotentMethods methods,
				ObjectProvider<DefaultIdempotencyTemplate> templates, ObjectProvider<IdempotentBatches> batches,
				ConfigurableEnvironment environment) {
			return new CallCatalog(methods,
					() -> templates.stream().flatMap((template) -> template.names().stream()).toList(),
					() -> batches.stream().flatMap((each) -> each.names().stream()).toList(),
					Namespace.in(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class, HttpIdempotency.class,
			ServletRegistrationBean.class })
	@ConditionalOnAvailableEndpoint(IdempotentEndpoint.class)
	@ConditionalOnBean(HttpIdempotency.class)
	static class HttpCatalogConfiguration {

		@Bean("io.idempotent.idempotencyHttpCatalog")
		@Order(1)
		OperationCatalog idempotencyHttpCatalog(HttpIdempotency idempotency, ObjectProvider<ServletContext> context,
				ObjectProvider<ServletRegistrationBean<?>> servlets) {
			RequestPaths paths = new RequestPaths(
					() -> context.stream().map(ServletContext::getContextPath).findFirst().orElse(""),
					() -> servlets.stream()
						.map(IdempotencyAdministrationAutoConfiguration::prefix)
						.flatMap(Optional::stream)
						.findFirst()
						.orElse(""));
			return new HttpCatalog(idempotency, paths);
		}

	}

	/** Of the servlet's mapping, if it is Spring MVC's. */
	private static Optional<String> prefix(ServletRegistrationBean<?> servlet) {
		return (servlet.getServlet() instanceof DispatcherServlet)
				? servlet.getUrlMappings().stream().map((mapping) -> mapping.replaceFirst("/\\*?$", "")).findFirst()
				: Optional.empty();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(AuditApplicationEvent.class)
	static class AuditConfiguration {

		/** For Spring Boot's endpoint {@code auditevents}. */
		@EventListener
		AuditApplicationEvent audit(Intervention intervention) {
			Map<String, Object> data = new LinkedHashMap<>();
			if (intervention.operation() != null) {
				data.put("operation", intervention.operation());
			}
			data.put("hash", intervention.key().toString());
			data.put("reason", intervention.reason());
			data.put("forced", intervention.forced());
			return new AuditApplicationEvent(intervention.time(), intervention.by(),
					"IDEMPOTENT_" + intervention.action().name(), data);
		}

	}

}
