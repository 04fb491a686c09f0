package io.idempotent.boot.internal.store;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.sql.autoconfigure.init.OnDatabaseInitializationCondition;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * {@link OnDatabaseInitializationCondition} that rejects an invalid mode as a property of
 * that type, so that the failure analysis names the property and its values.
 */
public abstract class OnSchemaInitializationCondition extends OnDatabaseInitializationCondition {

	private final String property;

	protected OnSchemaInitializationCondition(String name, String property) {
		super(name, property);
		this.property = property;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Binder.get(context.getEnvironment()).bind(this.property, DatabaseInitializationMode.class);
		return super.getMatchOutcome(context, metadata);
	}

}
