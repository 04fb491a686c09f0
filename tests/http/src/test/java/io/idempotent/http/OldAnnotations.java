package io.idempotent.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.idempotent.ReceiptMode;
import io.idempotent.WhenCompleted;
import io.idempotent.lock.DistributedLocked;
import io.idempotent.lock.LockNotObtainedHandler;

import org.springframework.core.annotation.AliasFor;

/**
 * The annotations that teams come from, under their old names: those who follow
 * docs/migration.md copy theirs.
 */
final class OldAnnotations {

	private OldAnnotations() {
	}

	static final class RuoYi {

		@Target(ElementType.METHOD)
		@Retention(RetentionPolicy.RUNTIME)
		@ApiIdempotent(value = KeySource.CONTENT, whenCompleted = WhenCompleted.REJECT, receipt = ReceiptMode.OFF)
		@interface RepeatSubmit {

			@AliasFor(annotation = ApiIdempotent.class, attribute = "retention")
			String interval() default "5s";

			@AliasFor(annotation = ApiIdempotent.class)
			String message() default "不允许重复提交，请稍候再试";

		}

	}

	static final class RuoYiVuePlus {

		@Target(ElementType.METHOD)
		@Retention(RetentionPolicy.RUNTIME)
		@ApiIdempotent(value = KeySource.CONTENT, whenCompleted = WhenCompleted.REJECT, receipt = ReceiptMode.OFF)
		@interface RepeatSubmit {

			@AliasFor(annotation = ApiIdempotent.class, attribute = "retention")
			String interval() default "5s";

			@AliasFor(annotation = ApiIdempotent.class)
			String message() default "{repeat.submit.message}";

		}

	}

	static final class Yudao {

		@Target(ElementType.METHOD)
		@Retention(RetentionPolicy.RUNTIME)
		@ApiIdempotent(value = KeySource.CONTENT, whenCompleted = WhenCompleted.REJECT, receipt = ReceiptMode.OFF)
		@interface Idempotent {

			@AliasFor(annotation = ApiIdempotent.class, attribute = "retention")
			String timeout() default "1s";

			@AliasFor(annotation = ApiIdempotent.class)
			String message() default "重复请求，请稍后重试";

			@AliasFor(annotation = ApiIdempotent.class, attribute = "key")
			String keyArg() default "";

		}

	}

	static final class Pig {

		@Target(ElementType.METHOD)
		@Retention(RetentionPolicy.RUNTIME)
		@ApiIdempotent(value = KeySource.CONTENT, whenCompleted = WhenCompleted.REJECT, receipt = ReceiptMode.OFF)
		@interface Idempotent {

			@AliasFor(annotation = ApiIdempotent.class)
			String key() default "";

			@AliasFor(annotation = ApiIdempotent.class, attribute = "retention")
			String expireTime() default "1s";

			@AliasFor(annotation = ApiIdempotent.class, attribute = "message")
			String info() default "重复请求，请稍后重试";

		}

		/** With delKey = true. */
		@Target(ElementType.METHOD)
		@Retention(RetentionPolicy.RUNTIME)
		@DistributedLocked(waitTime = "0s")
		@interface OneAtATime {

			@AliasFor(annotation = DistributedLocked.class)
			String[] key() default {};

		}

	}

	static final class Jeecg {

		@Target(ElementType.METHOD)
		@Retention(RetentionPolicy.RUNTIME)
		@ApiIdempotent(value = KeySource.CONTENT, whenCompleted = WhenCompleted.REJECT, receipt = ReceiptMode.OFF)
		@interface JRepeat {

			@AliasFor(annotation = ApiIdempotent.class, attribute = "retention")
			String lockTime();

			@AliasFor(annotation = ApiIdempotent.class, attribute = "key")
			String lockKey() default "";

		}

		@Target(ElementType.METHOD)
		@Retention(RetentionPolicy.RUNTIME)
		@DistributedLocked
		@interface JLock {

			@AliasFor(annotation = DistributedLocked.class, attribute = "key")
			String[] lockKey() default {};

			@AliasFor(annotation = DistributedLocked.class, attribute = "name")
			String keyPrefix() default "";

			@AliasFor(annotation = DistributedLocked.class)
			String waitTime() default "10s";

		}

	}

	static final class Baomidou {

		@Target(ElementType.METHOD)
		@Retention(RetentionPolicy.RUNTIME)
		@DistributedLocked
		@interface Lock4j {

			@AliasFor(annotation = DistributedLocked.class)
			String name() default "";

			@AliasFor(annotation = DistributedLocked.class, attribute = "key")
			String[] keys() default {};

			@AliasFor(annotation = DistributedLocked.class, attribute = "leaseTime")
			String expire() default "30s";

			@AliasFor(annotation = DistributedLocked.class, attribute = "waitTime")
			String acquireTimeout() default "3s";

			@AliasFor(annotation = DistributedLocked.class, attribute = "handler")
			Class<? extends LockNotObtainedHandler> failStrategy() default LockNotObtainedHandler.class;

		}

		/** With autoRelease = false. */
		@Target(ElementType.METHOD)
		@Retention(RetentionPolicy.RUNTIME)
		@DistributedLocked(waitTime = "0s")
		@interface HeldAfterwards {

			@AliasFor(annotation = DistributedLocked.class)
			String name() default "";

			@AliasFor(annotation = DistributedLocked.class, attribute = "holdAtLeast")
			String expire() default "30s";

		}

	}

	static final class Klocks {

		@Target(ElementType.METHOD)
		@Retention(RetentionPolicy.RUNTIME)
		@DistributedLocked
		@interface Klock {

			@AliasFor(annotation = DistributedLocked.class)
			String name() default "";

			@AliasFor(annotation = DistributedLocked.class, attribute = "key")
			String[] keys() default {};

			@AliasFor(annotation = DistributedLocked.class)
			String waitTime() default "";

			@AliasFor(annotation = DistributedLocked.class)
			String leaseTime() default "";

		}

	}

}
