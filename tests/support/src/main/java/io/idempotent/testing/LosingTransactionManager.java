package io.idempotent.testing;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Loses a commit, or the reply to it, on request, once.
 */
public final class LosingTransactionManager extends DataSourceTransactionManager {

	private static final long serialVersionUID = 1L;

	private volatile @Nullable Loss next;

	public LosingTransactionManager(DataSource database) {
		super(database);
	}

	/**
	 * The next commit throws, as if its reply was lost.
	 * @param happens whether the database commits
	 */
	public void loseNextCommit(boolean happens) {
		this.next = happens ? Loss.REPLY : Loss.COMMIT;
	}

	@Override
	protected void doCommit(DefaultTransactionStatus status) {
		Loss loss = this.next;
		this.next = null;
		if (loss == Loss.COMMIT) {
			super.doRollback(status);
		}
		else {
			super.doCommit(status);
		}
		if (loss != null) {
			throw new TransactionSystemException("The reply was lost");
		}
	}

	private enum Loss {

		COMMIT, REPLY

	}

}
