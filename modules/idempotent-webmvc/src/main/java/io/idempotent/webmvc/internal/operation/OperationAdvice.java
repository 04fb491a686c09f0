package io.idempotent.webmvc.internal.operation;

import org.aopalliance.intercept.MethodInterceptor;

/** The advice of operations, which {@link MethodSecurity} looks for in a proxy. */
public interface OperationAdvice extends MethodInterceptor {

}
