// app.rs - a crate with loops to be timed: fills a vector of orders, and sums it up 3000 times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
struct Order {
    price: f64,
    quantity: u32,
    open: bool,
}

#[inline(never)]
fn fill(orders: &mut Vec<Order>, count: u32) {
    for i in 0..count {
        orders.push(Order { price: f64::from(i % 1000), quantity: i % 7, open: i % 3 == 0 });
    }
}

#[inline(never)]
fn notional(orders: &[Order]) -> f64 {
    let mut sum = 0.0;
    for order in orders {
        if order.open {
            sum += order.price * f64::from(order.quantity);
        }
    }
    sum
}

fn main() {
    let mut orders = Vec::new();
    fill(&mut orders, 300_000);
    let mut total = 0.0;
    for round in 0..3000 {
        total += notional(&orders[round..]);
    }
    println!("{total}");
}
