# A saved session repeats the commands that were executed, those of scripts too.
. "$here"/common.sh
cat > inner <<'END'
# a comment
next
  step 2
END
cat > script <<'END'
break newcomer
source inner
bogus
save-session first
why
continue
save-session second
quit
END
debug < script > log 2>&1
cat first
echo "== second"
cat second
echo "== repeated"
pcemu --core samples:samples -x second 2>&1 | tee again
grep -v 'source\|bogus\|save-session\|quit\|# a comment' log | diff - again && echo "the same output"
