package io.idempotent.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Resets the beans of {@link AutoConfigureIdempotency} before each test method, and
 * before its {@code @BeforeEach} methods.
 */
final class ResetTestExecutionListener extends AbstractTestExecutionListener {

	@Override
	public void beforeTestMethod(TestContext testContext) {
		if (testContext.hasApplicationContext()) {
			testContext.getApplicationContext().getBeanProvider(Resettable.class).forEach(Resettable::reset);
		}
	}

}
