# usage: supervise.sh <directory> <command> [argument ...]
#
# Runs the command until the pipe at standard input closes: the JVM closed it, or died in
# whatever way. Then kills the command and removes the directory. Exits as soon as the
# command ends, whoever ended it.

directory=$1
command=$2
shift 2

# A process that another thread of the JVM started while this file was written may still
# have it open, and then it cannot be executed ("Text file busy"). Nobody else opens a copy.
/bin/cp -p "$command" "$command-copy"

# Only the pipe ends the command: a Ctrl-C is meant for the JVM, which may still need it.
trap '' HUP INT TERM

exec 3<&0
"$command-copy" "$@" </dev/null 3<&- &
server=$!

# A process of its own, so that the command is also gone if this shell gets killed. "read"
# is built into the shell: it leaves no child behind.
(
	read -r nothing <&3
	kill -9 "$server"
	rm -rf "$directory"
) &
guard=$!
exec 3<&-

wait "$server"
status=$?
kill -9 "$guard"
rm -rf "$directory"
exit "$status"
