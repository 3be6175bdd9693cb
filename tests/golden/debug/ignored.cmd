# Going back stops where going forwards did, also where a breakpoint that is ignored is at the same moment.
. "$here"/common.sh
debug <<'END'
break look
ignore 1 5
break class branch
continue
continue
rcontinue
continue
END
