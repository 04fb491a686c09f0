package io.idempotent.support;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.TypeReference;

/**
 * The part of SpEL that a key expression may use. Other expressions can be parsed, but
 * the read-only context of {@link KeyExpression} would reject them on every call.
 */
final class KeyGrammar {

	private KeyGrammar() {
	}

	static void requireReadable(String purpose, String name, SpelNode root) {
		PropertyOrFieldReference property = propertyOfNothing(root);
		if (property != null) {
			throw new IllegalArgumentException(name + " never has a value: it reads '" + property.getName()
					+ "' without an object; write #" + property.getName() + " for the parameter of that name");
		}
		String problem = problem(root);
		if (problem != null) {
			throw new IllegalArgumentException(name + " never has a value: " + problem + "; a " + purpose
					+ " can only read properties: compute the value in the caller");
		}
	}

	/**
	 * Finds a property that is read without an object. In a map literal it is a key, and
	 * within a selection, a projection or an index it may belong to an element.
	 */
	private static @Nullable PropertyOrFieldReference propertyOfNothing(SpelNode node) {
		if (node instanceof PropertyOrFieldReference property) {
			return property;
		}
		if (node instanceof InlineMap || node instanceof Selection || node instanceof Projection
				|| node instanceof Indexer) {
			return null;
		}
		int children = (node instanceof CompoundExpression) ? 1 : node.getChildCount();
		for (int i = 0; i < children; i++) {
			PropertyOrFieldReference found = propertyOfNothing(node.getChild(i));
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	private static @Nullable String problem(SpelNode node) {
		String problem = ownProblem(node);
		for (int i = 0; problem == null && i < node.getChildCount(); i++) {
			problem = problem(node.getChild(i));
		}
		return problem;
	}

	private static @Nullable String ownProblem(SpelNode node) {
		if (node instanceof MethodReference) {
			return "it calls a method";
		}
		if (node instanceof FunctionReference) {
			return "it calls a function";
		}
		if (node instanceof ConstructorReference) {
			return "it calls a constructor";
		}
		if (node instanceof BeanReference) {
			return "it names a bean";
		}
		if (node instanceof TypeReference) {
			return "it names a type";
		}
		return (node instanceof Assign || node instanceof OpInc || node instanceof OpDec) ? "it assigns a value" : null;
	}

}
