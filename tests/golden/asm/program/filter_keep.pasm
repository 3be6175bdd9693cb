            .filter class call, branch
            .filter keep call, ret
            .entry  call, branch s
s:          done
