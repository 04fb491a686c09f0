package io.idempotent.persistence;

import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;

/**
 * A mapper of MyBatis.
 */
@Mapper
interface PaymentMapper extends Library {

	@Override
	@Insert("insert into payment (id) values (#{payment})")
	void insert(String payment);

}
