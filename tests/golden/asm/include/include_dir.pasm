            .include "words.inc"
            .filter class load
            .entry load begin
            done
