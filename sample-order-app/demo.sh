#!/usr/bin/env bash
# Starts two nodes of the shop with one database and one Redis, double-clicks, kills a node in the middle of an order, and shows what the database holds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# The command that starts a node: the jar, which "mvn package -DskipTests" makes, or whatever SHOP says.
shop=${SHOP:-java -jar $(ls target/sample-order-app-*.jar 2>/dev/null | grep -v -e sources -e javadoc | head -1)}
directory=$(mktemp -d)
first='' second=''

finish() {
	kill -9 $first $second 2>/dev/null || true
	rm -rf "$directory"
}
trap finish EXIT

# start <log> [argument ...]: starts a node and waits for it. Leaves its process in $started and its address in $address.
start() {
	local log=$directory/$1
	: >"$log"
	shift
	$shop --server.port=0 --spring.datasource.url="jdbc:h2:file:$directory/shop;AUTO_SERVER=TRUE" --idempotent.defaults.lease=2s "$@" >"$log" 2>&1 &
	started=$!
	disown
	until grep -q 'Tomcat started on port' "$log"; do
		if ! kill -0 "$started" 2>/dev/null; then
			echo 'A node has not started. Build the shop first, in the directory above: mvn -q package -DskipTests -pl sample-order-app -am' >&2
			tail -n 20 "$log" >&2
			exit 1
		fi
		sleep 0.2
	done
	address=http://localhost:$(sed -n 's/.*Tomcat started on port \([0-9]*\).*/\1/p' "$log")
}

# order <address> <token> <milliseconds> <customer>: orders tea, and prints status and body in one line.
order() {
	local answer
	answer=$(curl -s -X POST "$1/orders/slow?millis=$3" -H 'Content-Type: application/json' -H "Idempotent-Token: $2" \
		-d "{\"userId\": \"$4\", \"sku\": \"green-tea\", \"quantity\": 1}" -w '\n%{http_code}') || true
	echo "${answer##*$'\n'} ${answer%$'\n'*}"
}

token() {
	curl -s "$first_address/token" | sed 's/.*"token":"\([^"]*\)".*/\1/'
}

echo '== Two nodes start'
start first.log
first=$started first_address=$address
redis=$(sed -n 's/.*--spring\.data\.redis\.port=\([0-9]*\).*/\1/p' "$directory/first.log" | head -1)
start second.log --spring.data.redis.port="$redis"
second=$started second_address=$address

echo '== A double click: the same form is sent to both nodes at once'
form=$(token)
order "$second_address" "$form" 500 alice >"$directory/click" &
click=$!
sleep 0.2
echo "node 1: $(order "$first_address" "$form" 500 alice)"
wait "$click"
echo "node 2: $(cat "$directory/click")"
echo "later:  $(order "$first_address" "$form" 500 alice)"

echo '== Node 2 is killed in the middle of an order; the client repeats it at node 1'
form=$(token)
order "$second_address" "$form" 2000 bob >/dev/null &
sleep 1
kill -9 "$second"
while true; do
	answer=$(order "$first_address" "$form" 2000 bob)
	echo "node 1: $answer"
	[[ $answer == *409* ]] || break
	sleep 1
done

echo '== The orders in the database'
curl -s "$first_address/orders"
echo
