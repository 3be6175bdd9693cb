            .program included
            .include "inc/words.inc"
            .filter class load
            .entry load begin
last:       done
