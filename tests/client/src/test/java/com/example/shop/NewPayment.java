package com.example.shop;

record NewPayment(long orderId) {
}
