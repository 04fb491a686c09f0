package io.idempotent.lock.administration.autoconfigure;

import io.idempotent.lock.administration.LockAdministration;
import io.idempotent.lock.administration.SwitchControl.NotSwitchedException;
import io.idempotent.lock.administration.autoconfigure.LockResponses.Failure;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * What the endpoint makes of a failure.
 */
class LocksEndpointFailureTests {

	private final LockAdministration administration = mock();

	private final LocksEndpoint endpoint = new LocksEndpoint(this.administration, "node-1");

	@Test
	void aSwitchThatDoesNotTakePlaceIsAConflict() {
		given(this.administration.switchEngine(anyString(), anyString(), anyString()))
			.willThrow(new NotSwitchedException(new IllegalStateException("a node lacks the engine")));
		WebEndpointResponse<OperationResponseBody> response = this.endpoint.intervene("switch", null, "jdbc", "test",
				SecurityContext.NONE);
		assertThat(response.getStatus()).isEqualTo(409);
		assertThat(response.getBody()).isEqualTo(new Failure("a node lacks the engine", null));
	}

	@Test
	void aFailureOfAnEngineIsNoConflict() {
		given(this.administration.engineOf("a")).willReturn("own");
		given(this.administration.inspect(anyString(), any())).willThrow(new IllegalStateException("client closed"));
		assertThatIllegalStateException().isThrownBy(() -> this.endpoint.locks("a", null)).withMessage("client closed");
	}

}
