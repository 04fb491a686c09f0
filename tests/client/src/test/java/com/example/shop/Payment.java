package com.example.shop;

record Payment(long id, long orderId) {
}
