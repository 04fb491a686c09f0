package io.idempotent.testing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Remembers what is executed, and tells before it is.
 */
public class ObservedDataSource extends DelegatingDataSource {

	private final List<String> executed = new CopyOnWriteArrayList<>();

	private final Map<Integer, JavaProcess.Work> before = new ConcurrentHashMap<>();

	public ObservedDataSource(DataSource target) {
		super(target);
	}

	public final List<String> executed() {
		return this.executed;
	}

	/**
	 * Does something before a statement, once.
	 * @param statement the number of the statement, counted from 1 from now on
	 * @param work what to do
	 */
	public final void before(int statement, JavaProcess.Work work) {
		this.before.put(statement, work);
		this.executed.clear();
	}

	@Override
	public Connection getConnection() throws SQLException {
		return intercept(super.getConnection(), (call) -> {
			Object result = call.proceed();
			String method = call.getMethod().getName();
			if (method.equals("setAutoCommit") || method.equals("commit")) {
				this.executed.add(method);
			}
			return (result instanceof PreparedStatement statement)
					? observed(statement, (String) call.getArguments()[0]) : result;
		});
	}

	private PreparedStatement observed(PreparedStatement statement, String sql) {
		return intercept(statement, (call) -> {
			if (call.getMethod().getName().startsWith("execute")) {
				this.executed.add(sql);
				JavaProcess.Work work = this.before.remove(this.executed.size());
				if (work != null) {
					work.run();
				}
			}
			return call.proceed();
		});
	}

	/**
	 * Does something before each connection, which may fail it.
	 */
	public static DataSource beforeConnections(DataSource target, JavaProcess.Work work) {
		return intercept(target, (call) -> {
			if (call.getMethod().getName().equals("getConnection")) {
				work.run();
			}
			return call.proceed();
		});
	}

	/**
	 * Intercepts all calls of an object by its interfaces.
	 */
	@SuppressWarnings("unchecked")
	public static <T> T intercept(T target, MethodInterceptor interceptor) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.addAdvice(interceptor);
		return (T) factory.getProxy();
	}

}
