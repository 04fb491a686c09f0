package io.idempotent.boot;

import java.util.List;
import java.util.Set;

import io.idempotent.support.StartUpException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.origin.Origin;

/**
 * Refuses properties under {@code idempotent} that nothing reads, as
 * {@code ignoreUnknownFields = false} does. That cannot be used here, because prefixes
 * lie within each other: a group of its own class, which may be off, is left to that
 * class. Each module lists its groups in {@code META-INF/spring}, in a file named after
 * this class. Environment variables and system properties are not checked.
 */
final class StrictBinding implements ConfigurationPropertiesBindHandlerAdvisor {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("idempotent");

	/** The groups that have a class of their own, and what is read without a class. */
	private final List<ConfigurationPropertyName> groups;

	StrictBinding(@Nullable ClassLoader classLoader) {
		this.groups = ImportCandidates.load(StrictBinding.class, classLoader)
			.getCandidates()
			.stream()
			.map(ConfigurationPropertyName::of)
			.toList();
	}

	@Override
	public BindHandler apply(BindHandler handler) {
		return new NoUnboundElementsBindHandler(handler, new UnboundElementsSourceFilter()) {

			@Override
			public void onFinish(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
					@Nullable Object result) throws Exception {
				// The class that is extended does not.
				handler.onFinish(name, target, context, result);
				try {
					if (name.equals(ROOT) || ROOT.isAncestorOf(name)) {
						super.onFinish(name, target, context, result);
					}
				}
				catch (UnboundConfigurationPropertiesException ex) {
					refuse(name, ex.getUnboundProperties());
				}
			}

		};
	}

	private void refuse(ConfigurationPropertyName prefix, Set<ConfigurationProperty> unbound) {
		List<String> unread = unbound.stream()
			.filter((property) -> this.groups.stream()
				.noneMatch((group) -> prefix.isAncestorOf(group)
						&& (group.equals(property.getName()) || group.isAncestorOf(property.getName()))))
			.map(StrictBinding::describe)
			.toList();
		if (!unread.isEmpty()) {
			throw new StartUpException("Nothing reads " + String.join(", ", unread),
					"Correct the name (docs/properties.md lists all), remove the property, or add the extension of this "
							+ "library that reads it",
					null);
		}
	}

	/** Without the value, which may be a secret. */
	private static String describe(ConfigurationProperty property) {
		Origin origin = property.getOrigin();
		return property.getName() + ((origin != null) ? " (set by " + origin + ")" : "");
	}

}
