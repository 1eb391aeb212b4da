#!/bin/sh
# Save what `sendlab init` reads of a cluster: sh collect.sh NAME_SERVER:9876 [FOLDER]
# Needs mqadmin on the PATH and changes nothing. Then: sendlab init FOLDER
set -u
servers=${1:?usage: sh collect.sh NAME_SERVER:9876 [FOLDER]}
folder=${2:-cluster}
command -v mqadmin >/dev/null || { echo "collect.sh: mqadmin is not on the PATH: it lies in bin/ of RocketMQ" >&2; exit 3; }
if [ -e "$folder/consumers" ] && [ ! -f "$folder/.collected" ]; then
  echo "collect.sh: $folder/consumers is not from an earlier call; name another folder" >&2; exit 3
fi
mkdir -p "$folder" && touch "$folder/.collected" || exit 3

# ask FILE COMMAND...: append a command and what it prints to a file.
ask() {
  file=$folder/$1.txt
  shift
  echo "collect.sh: mqadmin $*" >&2
  { echo "\$ mqadmin $*"; mqadmin "$@" -n "$servers" 2>&1 </dev/null; } >>"$file"
}

# column N HEADER FILE: the Nth word of every line below the header.
column() { awk -v n="$1" -v head="$2" 'seen && NF >= n { print $n } index($0, head) { seen = 1 }' "$folder/$3.txt" | sort -u; }

# setting NAME: the values of a setting in what getBrokerConfig printed, one a line.
setting() { sed -n "s/^$1 *= *//p" "$folder/brokers.txt" | tr -d '\r' | sort -u; }

for name in clusterList topicList brokers sets topics groups; do rm -f "$folder/$name.txt"; done
ask clusterList clusterList
[ -n "$(column 1 '#InTPS' clusterList)" ] || { echo "collect.sh: $servers lists no broker; see $folder/clusterList.txt" >&2; exit 3; }
ask topicList topicList
for cluster in $(column 1 '#InTPS' clusterList); do
  ask brokers brokerStatus -c "$cluster"
  ask brokers getBrokerConfig -c "$cluster"
done
# Of sets whose master a controller elects: their sync sets, from the first controller that answers, and their epochs.
if setting enableControllerMode | grep -qx true; then
  for controller in $(setting controllerAddr | tr ';' '\n' | sort -u); do
    for cluster in $(column 1 '#InTPS' clusterList); do
      ask sets getSyncStateSet -a "$controller" -c "$cluster"
    done
    grep -q '^#SyncStateSetEpoch' "$folder/sets.txt" && break
  done
  for cluster in $(column 1 '#InTPS' clusterList); do
    ask sets getBrokerEpoch -c "$cluster"
  done
fi
{ column 1 '#InTPS' clusterList; column 2 '#InTPS' clusterList; } >"$folder/.own"
# Topics of RocketMQ itself are left out, as are those that have the name of a broker or a cluster.
own='^\$|[^A-Za-z0-9_|-]|^(RMQ_SYS_|rmq_sys_|SCHEDULE_TOPIC_XXXX$|TBW102$|BenchmarkTest$|SELF_TEST_TOPIC$|OFFSET_MOVED_EVENT$)|_REPLY_TOPIC$'
for topic in $(grep -Ev "$own" "$folder/topicList.txt" | grep -vxF -f "$folder/.own"); do
  ask topics topicRoute -t "$topic"
  ask topics topicStatus -t "$topic"
done
rm -f "$folder/.own"
ask groups consumerProgress
for group in $(column 1 '#Group' groups | grep -Ev '^(TOOLS_CONSUMER|CID_|FILTERSRV_|SELF_TEST_)'); do
  ask groups consumerProgress -g "$group"
done
# What each instance prints of itself, a file each: threads, service time, POP.
rm -rf "$folder/consumers"
mkdir "$folder/consumers"
for group in $(column 1 '#Group' groups | grep -Ev '^(TOOLS_CONSUMER|CID_|FILTERSRV_|SELF_TEST_)'); do
  echo "collect.sh: mqadmin consumerStatus -g $group" >&2
  (cd "$folder/consumers" && mqadmin consumerStatus -g "$group" -n "$servers" >/dev/null 2>&1 </dev/null)
done
rmdir "$folder/consumers" 2>/dev/null
echo "collect.sh: saved to $folder; now: sendlab init $folder" >&2
