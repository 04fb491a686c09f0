package com.example.shop;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class OrderService {

	private final JdbcClient sql;

	OrderService(JdbcClient sql) {
		this.sql = sql;
	}

	@Transactional
	long place(String article) {
		this.sql.sql("insert into orders (article) values (?)").param(article).update();
		return count();
	}

	long count() {
		return this.sql.sql("select count(*) from orders").query(Long.class).single();
	}

}
